// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.h2.H2Dialect;
import dev.seriatim.jdbc.mysql.MySqlFamily;
import dev.seriatim.jdbc.postgres.PostgresFamily;
import dev.seriatim.jdbc.spanner.SpannerDialect;
import dev.seriatim.jdbc.sqlite.SqliteDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The engines that we know. */
public final class Dialects {

    static final String KNOWN =
            "SQLite, H2, PostgreSQL, Aurora DSQL, MariaDB, MySQL, Spanner (GoogleSQL); and, not tested here, CockroachDB,"
                    + " YugabyteDB, TiDB";

    private Dialects() {}

    /**
     * The dialect of a connection.
     *
     * @throws Misconfigured when its engine is not a known one: a guess could hand out a number twice
     */
    static Dialect of(Connection connection) throws SQLException {
        String product = product(connection);
        return switch (String.valueOf(product).toLowerCase(Locale.ROOT)) {
            case "sqlite" -> new SqliteDialect();
            case "h2" -> new H2Dialect();
            case "postgresql" -> PostgresFamily.member(connection);
            case "mariadb", "mysql" -> MySqlFamily.member(connection);
            case "google cloud spanner" -> new SpannerDialect();
            default -> throw unknown(product);
        };
    }

    /**
     * Whether a transaction is open on a connection that is not in auto-commit mode. Looks without beginning or ending one, and
     * without harm to one that is open.
     */
    public static boolean inTransaction(Connection connection) throws SQLException {
        return switch (String.valueOf(product(connection)).toLowerCase(Locale.ROOT)) {
            case "sqlite" -> SqliteDialect.inTransaction(connection);
            case "h2" -> H2Dialect.inTransaction(connection);
            case "mariadb", "mysql" -> MySqlFamily.inTransaction(connection);
            default -> refusesReadOnly(connection);
        };
    }

    /** JDBC forbids this call during a transaction; the drivers of PostgreSQL and Spanner see to that by themselves. */
    private static boolean refusesReadOnly(Connection connection) throws SQLException {
        try {
            connection.setReadOnly(connection.isReadOnly());
            return false;
        } catch (SQLException e) {
            if (connection.isClosed()) {
                throw e;
            }
            return true;
        }
    }

    private static String product(Connection connection) throws SQLException {
        try {
            return connection.getMetaData().getDatabaseProductName();
        } catch (RuntimeException e) {
            // Spanner's driver has to ask the server for that, and lets its client's exceptions through.
            throw new SQLException(e.getMessage(), e);
        }
    }

    public static Misconfigured unknown(String product) {
        return new Misconfigured("database '" + product + "' is not supported; supported: " + KNOWN);
    }
}
