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
        return of(context, table, "id");
    }

    static String ofNumber(GeneratorCreationContext context, Table table) {
        return of(context, table, context.getProperty().getColumns().get(0).getName());
    }

    private static String of(GeneratorCreationContext context, Table table, String column) {
        String qualified = qualified(context, table);
        String name = qualified + "_" + column;
        HibernateSequences.of(context.getServiceRegistry()).requestByDefault(name, qualified + "." + column);
        return name;
    }

    /** Tables of the same name in two schemas must not share their numbers by accident. */
    private static String qualified(GeneratorCreationContext context, Table table) {
        Namespace.Name implicit = context.getDatabase().getPhysicalImplicitNamespaceName();
        // Of an identifier, the context knows no defaults before Hibernate 7.
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
