// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.cloudspanner.SpannerDialect;
import dev.seriatim.jdbc.h2.H2Dialect;
import dev.seriatim.jdbc.mysql.MySqlEngines;
import dev.seriatim.jdbc.postgres.PostgresEngines;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.EngineFamily;
import dev.seriatim.jdbc.sqlite.SqliteDialect;
import dev.seriatim.jdbc.sqlserver.SqlServerDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/** The registry of supported engines. */
final class Dialects {

    private static final List<EngineFamily> FAMILIES = List.of(
            new SqliteDialect(), // one line per engine
            new H2Dialect(),
            new PostgresEngines(),
            new MySqlEngines(),
            new SpannerDialect(false),
            new SqlServerDialect());

    private Dialects() {}

    /** Returns a connection's dialect; refuses an unknown engine, since a guess could deal a number twice. */
    static Dialect of(Connection connection) throws SQLException {
        String product = product(connection);
        EngineFamily family = family(product).orElseThrow(() -> EngineFamily.unknown(product));
        return family.dialect(connection);
    }

    /**
     * Returns whether a transaction is open on a connection, without affecting it. In auto-commit mode, asks the driver alone.
     */
    static boolean inTransaction(Connection connection) throws SQLException {
        Optional<EngineFamily> family = family(product(connection));
        if (connection.getAutoCommit()) {
            return family.isPresent() && family.get().begunInText(connection);
        }
        return family.isPresent() ? family.get().inTransaction(connection) : EngineFamily.refusesReadOnly(connection);
    }

    /** Returns why a file could not be opened, with the remedy; empty for exceptions that have another cause. */
    static Optional<SequenceException> fileFailure(String database, String why, SQLException e) {
        return FAMILIES.stream()
                .flatMap(family -> family.fileFailure(database, why, e).stream())
                .findFirst();
    }

    /** Returns the driver's options under which a connection creates no database and leaves nothing in a pooled session. */
    static Properties existing(String driverUrl, boolean readOnly) {
        Properties options = new Properties();
        FAMILIES.forEach(family -> options.putAll(family.existing(driverUrl, readOnly)));
        return options;
    }

    private static Optional<EngineFamily> family(String product) {
        String name = String.valueOf(product).toLowerCase(Locale.ROOT);
        return FAMILIES.stream().filter(family -> family.introducedAs(name)).findFirst();
    }

    private static String product(Connection connection) throws SQLException {
        try {
            return connection.getMetaData().getDatabaseProductName();
        } catch (RuntimeException e) {
            // Spanner's driver queries the server for this and lets its client's exceptions through.
            throw new SQLException(e.getMessage(), e);
        }
    }
}
