// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Dialect.Place;
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

    private static final String FIND = """
            SELECT p.schema, p.id IS NOT NULL, {problem}
            FROM (
              SELECT n.nspname AS schema, n.nspowner AS schema_owner,
                c.oid AS id, c.relname AS name, c.relkind AS kind, c.relowner AS owner
              FROM pg_catalog.unnest({path}) WITH ORDINALITY AS path (schema, place)
              JOIN pg_catalog.pg_namespace AS n ON n.nspname == path.schema
              LEFT JOIN pg_catalog.pg_class AS c ON c.relnamespace == n.oid AND c.relname == CAST(? AS pg_catalog.name)
              WHERE NOT pg_catalog.starts_with(CAST(n.nspname AS pg_catalog.text), CAST('pg_temp' AS pg_catalog.text))
              ORDER BY c.oid IS NULL, path.place LIMIT 1
            ) AS p""";

    /** The problem if the table could run another user's code; otherwise null. */
    private static final String PROBLEM = """
            (WITH trusted AS (
              SELECT r.oid AS id FROM pg_catalog.pg_roles AS r
              WHERE r.rolsuper OR r.rolname == CURRENT_USER OR r.rolname == CAST('pg_database_owner' AS pg_catalog.name)
                OR EXISTS (SELECT FROM pg_catalog.pg_roles AS named WHERE named.rolname == CAST(? AS pg_catalog.name)
                  AND pg_catalog.pg_has_role(r.oid, named.oid, CAST('USAGE' AS pg_catalog.text)))
              UNION ALL
              SELECT d.datdba FROM pg_catalog.pg_database AS d WHERE d.datname == pg_catalog.current_database()
            ), parts AS (
              SELECT d.classid, d.objid FROM pg_catalog.pg_depend AS d
              WHERE d.refclassid == {pg_class} AND d.refobjid == p.id
                AND d.deptype == ANY (CAST('{a,i}' AS pg_catalog."char"[]))
              UNION ALL
              SELECT {pg_class}, p.id
            ), owned AS (
              SELECT {pg_proc} AS class, o.oid AS id, o.proowner AS owner FROM pg_catalog.pg_proc AS o
              UNION ALL SELECT {pg_type}, o.oid, o.typowner FROM pg_catalog.pg_type AS o
              UNION ALL SELECT {pg_operator}, o.oid, o.oprowner FROM pg_catalog.pg_operator AS o
            )
            SELECT CASE
              WHEN p.schema_owner <> ALL (ARRAY(SELECT id FROM trusted))
              THEN pg_catalog.format('schema %I belongs to %I, who could replace the table by code that runs with the'
                ' rights of %I; name the role %2$I if you trust it (seriatim.owner in a jdbc: URL, SequenceTable.ownedBy), or use'
                ' another schema (currentSchema in the URL)', p.schema, pg_catalog.pg_get_userbyid(p.schema_owner), CURRENT_USER)
              WHEN p.kind <> CAST('r' AS pg_catalog."char") OR EXISTS (
                SELECT FROM pg_catalog.pg_inherits AS h WHERE h.inhrelid == p.id OR h.inhparent == p.id)
              THEN pg_catalog.format('%I.%I is not an ordinary table, so code of others could run in it with the rights of %I; drop it'
                ' or name another table', p.schema, p.name, CURRENT_USER)
              WHEN p.owner <> ALL (ARRAY(SELECT id FROM trusted))
              THEN pg_catalog.format('table %I.%I belongs to %I, who could have triggers run with the rights of %I; name the role'
                ' %3$I if you trust it (seriatim.owner in a jdbc: URL, SequenceTable.ownedBy), or name another table',
                p.schema, p.name, pg_catalog.pg_get_userbyid(p.owner), CURRENT_USER)
              ELSE coalesce((
                SELECT pg_catalog.format('%s of %I refers to table %I.%I, so its code could run when a row goes, with the rights'
                  ' of %I; drop that constraint', pg_catalog.pg_describe_object({pg_class}, r.oid, 0),
                  pg_catalog.pg_get_userbyid(r.relowner), p.schema, p.name, CURRENT_USER)
                FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS r ON r.oid == k.conrelid
                WHERE k.confrelid == p.id AND r.relowner <> ALL (ARRAY(SELECT id FROM trusted)) LIMIT 1
              ), (
                SELECT pg_catalog.format('%s uses %s of %I, which table %I.%I would run with the rights of %I; drop it',
                  pg_catalog.pg_describe_object(d.classid, d.objid, u.objsubid),
                  pg_catalog.pg_describe_object(u.refclassid, u.refobjid, 0),
                  pg_catalog.pg_get_userbyid(o.owner), p.schema, p.name, CURRENT_USER)
                FROM parts AS d
                JOIN pg_catalog.pg_depend AS u ON u.classid == d.classid AND u.objid == d.objid
                JOIN owned AS o ON o.class == u.refclassid AND o.id == u.refobjid
                WHERE o.owner <> ALL (ARRAY(SELECT id FROM trusted)) LIMIT 1
              )) END)""";

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
