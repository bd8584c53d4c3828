// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.dialect.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A PostgreSQL schema in which all users may create objects. Up to PostgreSQL 14, that is the default for {@code
 * public}.
 */
final class SharedSchema {

    // All operators are qualified: this runs with whatever search path the user has.
    private static final String SHARED = "SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_namespace AS n"
            + " WHERE n.nspname OPERATOR(pg_catalog.=) CAST(? AS pg_catalog.name)"
            + " AND pg_catalog.has_schema_privilege('public'::pg_catalog.name, n.oid, 'CREATE'::pg_catalog.text)";

    private SharedSchema() {}

    /** Returns the consequence and the remedy; empty if this is not such a schema. */
    static Optional<String> caution(Connection connection, String name) throws SQLException {
        return Settings.read(connection, SHARED, name)
                .map(schema -> "all users may create objects in schema " + schema
                        + " and so run code with the privileges of its users; an administrator can REVOKE CREATE ON SCHEMA "
                        + schema + " FROM PUBLIC");
    }
}
