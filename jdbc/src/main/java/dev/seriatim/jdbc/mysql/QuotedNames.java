// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.inspect.ObjectName;

/** Quotes any name; unlike {@link MySqlFamily#quoted}, which takes names that are checked. */
final class QuotedNames {

    private QuotedNames() {}

    static String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    static String quoted(ObjectName name) {
        return (name.schema().isEmpty() ? "" : quoted(name.schema()) + ".") + quoted(name.name());
    }
}
