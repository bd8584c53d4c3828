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
            + " WHERE n.oid OPERATOR(pg_catalog.=) COALESCE("
            + "(SELECT c.relnamespace FROM pg_catalog.pg_class AS c"
            + " WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(?)::pg_catalog.oid),"
            + " (SELECT m.oid FROM pg_catalog.pg_namespace AS m"
            + " WHERE m.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema()))"
            + " AND NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_temp'::pg_catalog.text)"
            + " AND pg_catalog.has_schema_privilege('public'::pg_catalog.name, n.oid, 'CREATE'::pg_catalog.text)";

    private SharedSchema() {}

    /** Returns the consequence and the remedy; empty if the table's schema is not such a schema. */
    static Optional<String> caution(Connection connection, String table) throws SQLException {
        return Settings.read(connection, SHARED, PostgresFamily.quoted(table))
                .map(schema -> "all users may create objects in schema " + schema
                        + " and so run code with the privileges of its users; an administrator can REVOKE CREATE ON SCHEMA "
                        + schema + " FROM PUBLIC");
    }
}
