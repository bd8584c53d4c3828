// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceException;
import dev.seriatim.number.NumberPattern;
import dev.seriatim.number.Transform;
import java.lang.reflect.Member;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.hibernate.annotations.TenantId;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Draws the values of one property. Thread-safe.
 *
 * @param sequences the sequences of the session factory
 * @param request the property's sequence
 * @param conversion converts a number to the property's type
 * @param tenants the name of the property with the row's tenant, if each tenant has its own numbers
 */
record Drawing(
        HibernateSequences sequences,
        SequenceRequest request,
        LongFunction<Object> conversion,
        @Nullable String tenants) {

    /** What an annotation says. */
    record Wanted(String name, Guarantee guarantee, String mode, boolean bitReversed, String pattern) {}

    /** Checks an annotation against itself and the property's type. */
    static Drawing of(GeneratorCreationContext context, Place place, Wanted wanted, @Nullable String tenants) {
        HibernateSequences sequences = HibernateSequences.of(context.getServiceRegistry());
        LongFunction<Object> conversion = conversion(place, wanted);
        Guarantee guarantee = wanted.guarantee();
        place.require(
                !wanted.bitReversed() || guarantee == Guarantee.UNIQUE,
                "numbers with their bits reversed are not " + guarantee
                        + "; use guarantee UNIQUE, or remove bitReversed");
        SequenceRequest request = new SequenceRequest(
                wanted.name(), guarantee, SequenceRequest.mode(place, guarantee, wanted.mode()), tenants != null);
        sequences.request(request, place, wanted.pattern().isEmpty() && !wanted.bitReversed());
        return new Drawing(sequences, request, conversion, tenants);
    }

    private static LongFunction<Object> conversion(Place place, Wanted wanted) {
        Class<?> type = place.type();
        place.require(wanted.pattern().isEmpty() || type == String.class, """
                a pattern makes a String, and the property is of type %s; remove the pattern, or make the property a \
                String""".formatted(type.getSimpleName()));
        place.require(
                !wanted.bitReversed() || (type != Integer.class && type != int.class),
                "a number with its bits reversed has 63 bits and does not fit into an int; use a long");
        LongFunction<Object> plain = conversion(place, wanted.pattern());
        return wanted.bitReversed()
                ? number -> plain.apply(Transform.bitReversed().apply(number))
                : plain;
    }

    private static LongFunction<Object> conversion(Place place, String pattern) {
        Class<?> type = place.type();
        if (type == Long.class || type == long.class) {
            return number -> number;
        }
        if (type == Integer.class || type == int.class) {
            return number -> {
                if (number != (int) number) {
                    throw new SequenceException.OutOfRange(number + " does not fit into the int " + place
                            + "; make it a long, and its column a BIGINT");
                }
                return (int) number;
            };
        }
        if (type == BigInteger.class) {
            return BigInteger::valueOf;
        }
        if (type != String.class) {
            throw new SequenceException.Misconfigured(place + " is of type " + type.getName()
                    + ", which no sequence fills; use long, int, BigInteger, or String with a pattern");
        }
        if (pattern.isEmpty()) {
            throw new SequenceException.Misconfigured(
                    place + " is a String and its annotation has no pattern; add one, such as pattern = \"{seq}\"");
        }
        NumberPattern format = NumberPattern.of(pattern);
        return format::format;
    }

    static Drawing initialized(@Nullable Drawing drawing) {
        if (drawing == null) {
            throw new IllegalStateException("this generator is not initialized; use it through its annotation");
        }
        return drawing;
    }

    /** Draws a number for a row that exists, or for a new one. */
    Object next(SharedSessionContractImplementor session, Object owner, boolean rowExists) {
        OpenSequences.Source source = source(sequences.of(session), session, owner, rowExists);
        long number = source.next(session);
        try {
            return conversion.apply(number);
        } catch (SequenceException.OutOfRange e) {
            throw new SequenceException.OutOfRange(source.name(), e);
        }
    }

    /** Returns whether a draw is part of the session's transaction, and blocks other draws until it ends. */
    boolean isGapless() {
        return request.guarantee() == Guarantee.GAPLESS;
    }

    /** Returns whether one transaction at a time writes to the session's database. */
    boolean hasOneWriter(SharedSessionContractImplementor session) {
        return sequences.of(session).hasOneWriter();
    }

    private OpenSequences.Source source(
            OpenSequences open, SharedSessionContractImplementor session, Object owner, boolean rowExists) {
        if (tenants == null) {
            return open.source(request);
        }
        Object tenant = tenant(tenants, session, owner, rowExists);
        if (tenant == null) {
            throw new SequenceException.Misconfigured(request.name(), """
                    each tenant has its own numbers, but neither row nor session has a tenant; open the session with \
                    a tenant identifier""");
        }
        return open.source(request, tenant);
    }

    /**
     * Returns the stored tenant of a row, which the program cannot change by setting the property. For a new row, its
     * own, since a session of the root tenant stores rows of other tenants, otherwise the session's.
     */
    private static @Nullable Object tenant(
            String property, SharedSessionContractImplementor session, Object owner, boolean rowExists) {
        EntityPersister persister = session.getEntityPersister(null, owner);
        // A part of the key never changes.
        if (rowExists && Arrays.asList(persister.getPropertyNames()).contains(property)) {
            StoredValue.Row row = new StoredValue(property).of(session, owner);
            return row == null ? null : row.value();
        }
        Object own = persister.getPropertyValue(owner, property);
        return own == null ? session.getTenantIdentifierValue() : own;
    }

    /** Returns the name of the entity's property with {@code @TenantId}; null if there is none. */
    static @Nullable String tenantProperty(GeneratorCreationContext context) {
        Class<?> entity = context.getPersistentClass().getMappedClass();
        return Stream.<@Nullable Class<?>>iterate(entity, type -> type != null, type -> type.getSuperclass())
                .flatMap(type ->
                        Stream.concat(Stream.of(type.getDeclaredFields()), Stream.of(type.getDeclaredMethods())))
                .filter(member -> member.isAnnotationPresent(TenantId.class))
                .map(member -> Place.property((Member) member))
                .findFirst()
                .orElse(null);
    }
}
