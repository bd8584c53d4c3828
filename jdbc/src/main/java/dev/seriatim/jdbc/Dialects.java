// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** The engines that we know. */
final class Dialects {

    private static final List<Dialect> KNOWN = List.of(new SqliteDialect());

    private Dialects() {}

    /**
     * The dialect of a connection.
     *
     * @throws Misconfigured when its engine is not a known one: a guess could hand out a number twice
     */
    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return KNOWN.stream()
                .filter(dialect -> dialect.product().equalsIgnoreCase(product))
                .findFirst()
                .orElseThrow(() -> new Misconfigured("database '" + product + "' is not supported; supported: "
                        + KNOWN.stream().map(Dialect::product).collect(Collectors.joining(", "))));
    }
}
