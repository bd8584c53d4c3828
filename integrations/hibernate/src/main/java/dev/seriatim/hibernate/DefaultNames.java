// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.Namespace;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Table;
import org.jspecify.annotations.Nullable;

/** Names sequences whose annotation names none. */
final class DefaultNames {
    private DefaultNames() {}

    static String ofId(GeneratorCreationContext context, Table table) {
        String qualified = qualified(context, table);
        return of(context, qualified + "_id", "the identifier of " + qualified);
    }

    static String ofNumber(GeneratorCreationContext context, Table table) {
        String qualified = qualified(context, table);
        String column = context.getProperty().getColumns().get(0).getName();
        return of(context, qualified + "_" + column, qualified + "." + column);
    }

    private static String of(GeneratorCreationContext context, String name, String place) {
        HibernateSequences.of(context.getServiceRegistry()).requestByDefault(name, place);
        return name;
    }

    /** Tables of the same name in two schemas must not share their numbers by accident. */
    private static String qualified(GeneratorCreationContext context, Table table) {
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
}
