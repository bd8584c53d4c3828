// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Dialect.Place;
import dev.seriatim.jdbc.sql.FunctionText;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds tables in the catalogue, without reading them. Every operator and function is qualified, whatever the search path.
 */
final class PostgresTables {

    private static final String FIND =
            FunctionText.resource(PostgresTables.class, "find.sql").strip();

    /** The problem if the table could run another user's code; otherwise null. */
    private static final String PROBLEM =
            FunctionText.resource(PostgresTables.class, "problem.sql").strip();

    private static final String SHARED = "SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_namespace AS n"
            + " WHERE n.nspname OPERATOR(pg_catalog.=) CAST(? AS pg_catalog.name)"
            + " AND pg_catalog.has_schema_privilege('public'::pg_catalog.name, n.oid, 'CREATE'::pg_catalog.text)";

    private PostgresTables() {}

    /** Finds a table or a view, whoever owns it. */
    static Place find(Connection connection, String table, Optional<String> schema) throws SQLException {
        return find(connection, "NULL", table, schema, List.of());
    }

    /**
     * Finds a table that the current user, a superuser, the database's owner, this role or a member of it owns: members can act
     * as the role.
     *
     * @throws Misconfigured if it, its schema or what it uses belongs to another role, or if it is not an ordinary table
     */
    static Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException {
        return find(connection, PROBLEM, table, schema, List.of(owner.orElse("")));
    }

    private static Place find(
            Connection connection, String problem, String table, Optional<String> schema, List<String> owner)
            throws SQLException {
        List<String> parameters = new ArrayList<>(owner);
        schema.ifPresent(parameters::add);
        parameters.add(table);
        String path = schema.isPresent() ? "ARRAY[CAST(? AS pg_catalog.name)]" : "pg_catalog.current_schemas(false)";
        try (PreparedStatement statement = connection.prepareStatement(sql(problem, path))) {
            for (int i = 0; i < parameters.size(); i++) {
                statement.setString(i + 1, parameters.get(i));
            }
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new Misconfigured(
                            "the search_path of this user names no schema that it may use; create one, or set the search_path");
                }
                if (row.getString(3) != null) {
                    throw new Misconfigured(row.getString(3).replaceAll("\\p{Cntrl}+", " "));
                }
                return new Place(Optional.of(row.getString(1)), row.getBoolean(2));
            }
        }
    }

    private static String sql(String problem, String path) {
        String sql = FIND.replace("{problem}", problem).replace("{path}", path);
        for (String catalogue : List.of("pg_class", "pg_proc", "pg_type", "pg_operator")) {
            sql = sql.replace(
                    "{" + catalogue + "}",
                    "CAST(CAST('pg_catalog." + catalogue + "' AS pg_catalog.regclass) AS pg_catalog.oid)");
        }
        return sql.replace(" == ", " " + PostgresFamily.ownOperator("=") + " ")
                .replace(" <> ", " " + PostgresFamily.ownOperator("<>") + " ");
    }

    /**
     * Returns what follows from a schema in which all users may create objects, and the remedy; empty for any other.
     * Up to PostgreSQL 14, {@code public} is such a schema by default.
     */
    static Optional<String> caution(Connection connection, String name) throws SQLException {
        return Sql.read(connection, SHARED, name)
                .map(schema -> "all users may create objects in schema " + schema
                        + " and so run code with the privileges of its users; an administrator can REVOKE CREATE ON SCHEMA "
                        + schema + " FROM PUBLIC");
    }
}
