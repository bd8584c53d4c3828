// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.OpenStore;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.StoreDriver;
import dev.seriatim.StoreUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * Opens any JDBC URL whose database is a known one. The URL goes to the database's own driver untouched, with its options,
 * so the table is always our own one of the default name; to choose another, open a {@link JdbcStore} on a data source.
 *
 * <p>Thread-safe.
 */
public final class JdbcDriver implements StoreDriver {

    /** For the service loader. */
    public JdbcDriver() {}

    @Override
    public String prefix() {
        return "jdbc:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        KeptConnections.Opener opener = () -> DriverManager.getConnection(url.text());
        String database = url.redacted();
        try (Connection connection = opener.open()) {
            Dialect dialect = Dialects.of(connection);
            Durability.REQUIRED.check(database, dialect.preflight(connection));
            return new JdbcStore(
                    new KeptConnections(opener, dialect, database),
                    dialect,
                    SequenceTable.own(),
                    database,
                    JdbcStore.PATIENCE);
        } catch (SQLException e) {
            throw new Unavailable(
                    database + " cannot be reached (" + Failures.oneLine(e)
                            + "); check the URL, that its driver is on the class path, and that the server runs",
                    e);
        }
    }
}
