// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.UnionSubclass;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a row is numbered after its insert. Immutable.
 *
 * @param number the property with the number
 * @param of the property that decides
 * @param when the value at which the row is numbered
 */
record LateNumber(String number, String of, String when) {

    /** Returns the annotation's rule; null if it numbers rows on insert. */
    static @Nullable LateNumber of(Place place, GeneratorCreationContext context, String of, String when) {
        if (of.isEmpty() && when.isEmpty()) {
            return null;
        }
        place.require(
                !of.isEmpty() && !when.isEmpty(),
                "a late number needs both 'of' (a property) and 'when' (its value); set the other one");
        return new LateNumber(context.getProperty().getName(), of, when);
    }

    /** Checks the annotation against the mapping; all properties must be mapped. */
    void check(Place place, PersistentClass entity) {
        place.require(entity.getProperty(number).getValue().hasAnyUpdatableColumns(), """
                a late number is stored by an update, and its column is not updatable; remove updatable = false""");
        place.require(entity.getProperty(number).getValue().getTable().equals(entity.getTable()), """
                a late number must be in the entity's own table, whose row is locked before a draw, not in a secondary \
                one; move it there""");
        place.require(!isUnion(entity), """
                the rows of a concrete class with subclasses cannot be locked where each class has a table; make the \
                class abstract, or use another inheritance strategy""");
        Class<?> numbered =
                entity.getProperty(number).getGetter(entity.getMappedClass()).getReturnTypeClass();
        if (numbered.isPrimitive()) {
            throw new SequenceException.Misconfigured(
                    place + " has no number at first, and a " + numbered + " cannot be null; use its wrapper");
        }
        place.require(entity.hasProperty(of), entity.getEntityName() + " has no property '" + of + "'; correct 'of'");
        Class<?> type = entity.getProperty(of).getType().getReturnedClass();
        Object[] constants = type.getEnumConstants();
        place.require(
                constants == null
                        || Arrays.stream(constants).anyMatch(constant -> when.equals(((Enum<?>) constant).name())),
                type.getSimpleName() + " has no constant '" + when + "'; use one of " + Arrays.toString(constants));
    }

    /** Returns whether the row has the value at which it is numbered. */
    boolean isDue(SharedSessionContractImplementor session, Object owner) {
        Object value = session.getEntityPersister(null, owner).getPropertyValue(owner, of);
        String text = value instanceof Enum<?> constant ? constant.name() : String.valueOf(value);
        return value != null && text.equals(when);
    }

    /** Checks a number that is drawn at the commit against the mapping. */
    static void checkAtCommit(Place place, PersistentClass entity, String number) {
        Class<?> type =
                entity.getProperty(number).getGetter(entity.getMappedClass()).getReturnTypeClass();
        Value column = entity.getProperty(number).getValue();
        place.require(!type.isPrimitive() && column.isNullable() && column.hasAnyUpdatableColumns(), """
                a row has no number before its commit, which stores it by an UPDATE; make its column nullable and \
                updatable, and use a wrapper, not a primitive type""");
        boolean isInOneTable = entity.getJoinClosureSpan() == 0
                && Stream.concat(Stream.of(entity), entity.getSubclasses().stream())
                        .allMatch(each -> each.getTable().equals(entity.getTable()));
        place.require(isInOneTable, """
                a number is stored at the commit in one table, and this entity has several; remove atCommit, or map it \
                to a single table""");
    }

    /** Returns whether Hibernate reads an entity of this class, or of one below, from several tables at once. */
    private static boolean isUnion(PersistentClass entity) {
        return entity.getDirectSubclasses().stream()
                .anyMatch(below -> (below instanceof UnionSubclass && !Boolean.TRUE.equals(entity.isAbstract()))
                        || isUnion(below));
    }
}
