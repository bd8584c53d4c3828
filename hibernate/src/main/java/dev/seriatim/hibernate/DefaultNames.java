// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Table;

/** Names sequences whose annotation names none. */
final class DefaultNames {
    private DefaultNames() {}

    static String ofId(Table table) {
        return qualified(table) + "_id";
    }

    static String ofNumber(GeneratorCreationContext context, Table table) {
        return qualified(table) + "_"
                + context.getProperty().getColumns().get(0).getName();
    }

    /** Tables of the same name in two schemas must not share their numbers by accident. */
    private static String qualified(Table table) {
        StringBuilder name = new StringBuilder();
        if (table.getCatalog() != null) {
            name.append(table.getCatalog()).append('.');
        }
        if (table.getSchema() != null) {
            name.append(table.getSchema()).append('.');
        }
        return name.append(table.getName()).toString();
    }
}
