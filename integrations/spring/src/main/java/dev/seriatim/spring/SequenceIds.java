// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import dev.seriatim.SequenceException;
import dev.seriatim.Sequences;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.util.ClassUtils;
import org.springframework.util.NumberUtils;

/**
 * Sets the ids of new aggregates of Spring Data JDBC from the sequences that their {@code @Sequence} names, on
 * databases where Spring Data has no sequences, such as MySQL. The same entity then works there, too.
 *
 * <pre>{@code
 * record Invoice(@Id @Sequence("invoice_id") Long id, String customer) {}
 *
 * @Bean
 * SequenceIds sequenceIds(JdbcSequences sequences, JdbcMappingContext context, Dialect dialect) {
 *     return SequenceIds.unique(sequences, context, dialect);
 * }
 * }</pre>
 *
 * <p>Where the dialect has sequences, it does nothing, and Spring Data draws from the database's own; both never draw
 * for the same aggregate. An id that is already set stays. A {@code schema} stands before the sequence's name:
 * {@code @Sequence(schema = "shop", sequence = "invoice_id")} draws from {@code shop.invoice_id}.
 *
 * <p>A table that already has rows needs its sequence raised above them first.
 *
 * <p>Thread-safe.
 */
public final class SequenceIds implements BeforeConvertCallback<Object> {

    private final Function<String, ? extends LongSupplier> open;
    private final MappingContext<RelationalPersistentEntity<?>, ? extends RelationalPersistentProperty> context;
    private final boolean inUse;
    private final Map<String, LongSupplier> opened = new ConcurrentHashMap<>();

    private SequenceIds(
            Function<String, ? extends LongSupplier> open,
            MappingContext<RelationalPersistentEntity<?>, ? extends RelationalPersistentProperty> context,
            Dialect dialect) {
        this.open = open;
        this.context = context;
        this.inUse = !dialect.getIdGeneration().sequencesSupported();
    }

    /** Returns a callback that draws from {@linkplain Sequences#unique unique} sequences of these names. */
    public static SequenceIds unique(
            Sequences sequences,
            MappingContext<RelationalPersistentEntity<?>, ? extends RelationalPersistentProperty> context,
            Dialect dialect) {
        return of(name -> sequences.unique(name)::next, context, dialect);
    }

    /**
     * Returns a callback that draws from what {@code open} returns for a name, such as
     * {@code name -> GaplessNumbers.of(sequences.gapless(name), dataSource)::next}.
     *
     * @param open called once for each name, or more often if threads race
     */
    public static SequenceIds of(
            Function<String, ? extends LongSupplier> open,
            MappingContext<RelationalPersistentEntity<?>, ? extends RelationalPersistentProperty> context,
            Dialect dialect) {
        return new SequenceIds(open, context, dialect);
    }

    /**
     * Sets the aggregate's id if it is new, has none, and names a sequence.
     *
     * @return the aggregate, or a copy with the id if its properties cannot be set
     * @throws SequenceException if no number can be drawn, or if it does not fit into the type of the id
     */
    @Override
    public Object onBeforeConvert(Object aggregate) {
        if (!inUse) {
            return aggregate;
        }
        RelationalPersistentEntity<?> entity = context.getPersistentEntity(aggregate.getClass());
        RelationalPersistentProperty id = entity == null ? null : entity.getIdProperty();
        if (entity == null || id == null || !id.hasSequence() || !entity.isNew(aggregate)) {
            return aggregate;
        }
        PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(aggregate);
        Object present = accessor.getProperty(id);
        boolean unset = present == null
                || (id.getType().isPrimitive() && present instanceof Number number && number.longValue() == 0);
        if (!unset) {
            return aggregate;
        }
        accessor.setProperty(id, next(id));
        return accessor.getBean();
    }

    private Object next(RelationalPersistentProperty id) {
        String name = id.getSequence().stream().map(part -> part.getReference()).collect(Collectors.joining("."));
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(id.getType());
        if (type != Long.class && type != Integer.class && type != Short.class && type != String.class) {
            throw new SequenceException.Misconfigured(
                    name, id + " cannot hold a number of a sequence; give it the type Long, Integer or String");
        }
        LongSupplier numbers = opened.get(name);
        if (numbers == null) {
            numbers = open.apply(name);
            opened.put(name, numbers);
        }
        long number = numbers.getAsLong();
        if (type == String.class) {
            return Long.toString(number);
        }
        try {
            return NumberUtils.convertNumberToTargetClass(number, type.asSubclass(Number.class));
        } catch (IllegalArgumentException tooLarge) {
            throw new SequenceException.OutOfRange(
                    "sequence '%s': its next value %s does not fit into %s; give that the type Long"
                            .formatted(name, number, id));
        }
    }
}
