// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceException;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.Namespace;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.UnionSubclass;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * The annotated property. Immutable.
 *
 * @param type its type
 * @param table the table of its column
 * @param entity the entity, whose mapping may be incomplete
 * @param property the property's name
 */
record Place(Class<?> type, Table table, PersistentClass entity, String property) {

    /** Returns the annotated part of an entity's identifier. */
    static Place ofId(GeneratorCreationContext context, @Nullable Member member) {
        Property property = context.getProperty();
        PersistentClass entity = context.getPersistentClass();
        if (member != null && (property == null || property.getValue() instanceof Component)) {
            // For a part of an identifier, Hibernate 6.6 passes the whole identifier, or nothing for an @IdClass.
            return new Place(type(member), entity.getTable(), entity, property(member));
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
                property.getType().getReturnedClass(), property.getValue().getTable(), entity, property.getName());
    }

    /** Returns the column of its values; none if the mapping hides which. The mapping must be complete. */
    List<Column> columns() {
        Value value = entity.getIdentifier();
        if (value instanceof Component parts && parts.hasProperty(property)) {
            value = parts.getProperty(property).getValue();
        } else if (entity.hasProperty(property)) {
            value = entity.getProperty(property).getValue();
        }
        return value.getColumnSpan() == 1 ? value.getColumns() : List.of(); // a key with embeddables in embeddables
    }

    /** Returns the tables with that column. The mapping must be complete. */
    Stream<Table> tables() {
        Stream<Table> concrete = entity.getSubclasses().stream()
                .filter(UnionSubclass.class::isInstance)
                .map(PersistentClass::getTable);
        return Stream.concat(Stream.of(table), concrete).filter(Table::isPhysicalTable);
    }

    private static Class<?> type(Member member) {
        return member instanceof Field field ? field.getType() : ((Method) member).getReturnType();
    }

    /** Returns the property of a field or a getter. */
    static String property(Member member) {
        String name = member.getName();
        return member instanceof Field ? name : Character.toLowerCase(name.charAt(3)) + name.substring(4); // get…
    }

    /** Throws {@link SequenceException.Misconfigured} unless the annotation is right. */
    void require(boolean right, String otherwise) {
        if (!right) {
            throw new SequenceException.Misconfigured(this + ": " + otherwise);
        }
    }

    /** Returns the sequence that the annotation names, or that of the identifier or the number by default. */
    String sequence(GeneratorCreationContext context, String named, boolean id) {
        if (!named.isEmpty()) {
            return named;
        }
        String qualified = qualified(context);
        String column = id ? "id" : context.getProperty().getColumns().get(0).getName();
        String name = qualified + "_" + column;
        HibernateSequences.of(context.getServiceRegistry())
                .requestByDefault(name, id ? "the identifier of " + qualified : qualified + "." + column);
        return name;
    }

    /** Tables of the same name in two schemas must not share their numbers by accident. */
    private String qualified(GeneratorCreationContext context) {
        Namespace.Name implicit = context.getDatabase().getPhysicalImplicitNamespaceName();
        // Before Hibernate 7, the context has no defaults for an identifier.
        HibernateSequences sequences = HibernateSequences.of(context.getServiceRegistry());
        return prefix(table.getCatalog(), sequences.setting(AvailableSettings.DEFAULT_CATALOG), implicit.getCatalog())
                + prefix(table.getSchema(), sequences.setting(AvailableSettings.DEFAULT_SCHEMA), implicit.getSchema())
                + table.getName();
    }

    /** The mapping comes before the factory's settings, and these before a default of all mappings. */
    private static String prefix(@Nullable String mapped, @Nullable Object set, @Nullable Identifier implicit) {
        if (mapped != null) {
            return mapped + ".";
        }
        if (set != null && !set.equals("")) {
            return set + ".";
        }
        return implicit == null ? "" : implicit.getText() + ".";
    }

    /** Returns the name for messages. */
    @Override
    public String toString() {
        return entity.getEntityName() + "." + property;
    }
}
