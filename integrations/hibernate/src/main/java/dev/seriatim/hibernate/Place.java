// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceException;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.jspecify.annotations.Nullable;

/**
 * The annotated property. Immutable.
 *
 * @param text names it in messages
 * @param type its type
 * @param table the table of its column
 */
record Place(String text, Class<?> type, Table table) {

    /** Returns the annotated part of an entity's identifier. */
    static Place ofId(GeneratorCreationContext context, @Nullable Member member) {
        Property property = context.getProperty();
        PersistentClass entity = context.getPersistentClass();
        if (member != null && (property == null || property.getValue() instanceof Component)) {
            // For a part of an identifier, Hibernate 6.6 passes the whole identifier, or nothing for an @IdClass.
            return new Place(entity.getEntityName() + "." + member.getName(), type(member), entity.getTable());
        }
        return of(entity, property);
    }

    /** Returns the annotated property of an entity that is not its identifier. */
    static Place ofNumber(GeneratorCreationContext context) {
        Property property = context.getProperty();
        if (context.getPersistentClass() == null) {
            throw inEmbeddable(property.getName() + " in the table "
                    + property.getValue().getTable().getName());
        }
        return of(context.getPersistentClass(), property);
    }

    static SequenceException.Misconfigured inEmbeddable(String place) {
        return new SequenceException.Misconfigured(
                place + ": a number must be a property of the entity itself, not of an embeddable; move it there");
    }

    private static Place of(PersistentClass entity, Property property) {
        return new Place(
                entity.getEntityName() + "." + property.getName(),
                property.getType().getReturnedClass(),
                property.getValue().getTable());
    }

    private static Class<?> type(Member member) {
        return member instanceof Field field ? field.getType() : ((Method) member).getReturnType();
    }

    @Override
    public String toString() {
        return text;
    }
}
