// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Checks that a tenant's connections do not lead to a table that other tenants share. */
final class TenantSchema {

    // Qualified, since the query runs with the tenant's search path.
    private static final String ELSEWHERE = """
            SELECT pg_catalog.quote_ident(n.nspname), pg_catalog.quote_ident(pg_catalog.current_schema())
            FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
            WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(?)::pg_catalog.oid
            AND n.nspname OPERATOR(pg_catalog.<>) pg_catalog.current_schema()
            AND EXISTS (SELECT FROM pg_catalog.pg_tables AS own
            WHERE own.schemaname OPERATOR(pg_catalog.=) pg_catalog.current_schema())""";

    private TenantSchema() {}

    /**
     * Throws if the tenant has tables in a schema of its own, and the sequences are in another one on its search path.
     */
    static void check(JdbcSequences sequences, Object tenant) {
        if (sequences.store().hasOneWriter()) {
            return; // SQLite has no schemas, and another transaction may wait for the session's
        }
        try {
            sequences.inTransaction(connection -> {
                check(connection, tenant);
                return tenant;
            });
        } catch (SQLException e) {
            throw new SequenceException.Unavailable(
                    "the schema of tenant '" + tenant + "' cannot be read: " + e.getMessage(), e);
        }
    }

    private static void check(Connection connection, Object tenant) throws SQLException {
        if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            return; // on MySQL and MariaDB, a connection sees one schema
        }
        try (PreparedStatement statement = connection.prepareStatement(ELSEWHERE)) {
            statement.setString(1, SequenceTable.DEFAULT_NAME);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    throw shared(tenant, row.getString(1), row.getString(2));
                }
            }
        }
    }

    // The remedy copies the counters, since the tenant may have rows that they numbered.
    private static SequenceException shared(Object tenant, String foundSchema, String ownSchema) {
        String found = foundSchema + "." + SequenceTable.DEFAULT_NAME;
        String own = ownSchema + "." + SequenceTable.DEFAULT_NAME;
        return new SequenceException.Misconfigured("""
                the search path of tenant '%1$s' leads to %2$s, so tenants would share numbers; CREATE TABLE \
                %3$s (LIKE %2$s INCLUDING ALL), and INSERT INTO %3$s TABLE %2$s; for a tenant without numbers, remove \
                schema %4$s from the path instead; if tenants share all tables, put %4$s \
                first""".formatted(tenant, found, own, foundSchema));
    }
}
