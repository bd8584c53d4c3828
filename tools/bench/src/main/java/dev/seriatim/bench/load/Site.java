// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.option.EngineSql;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The store under test and its database. Thread-safe.
 *
 * @param store the store, which opens connections of its own
 * @param url the URL that it was opened from; may hold secrets
 * @param connections the source of the benchmark's own connections; null if unavailable
 * @param clients the maximum number of clients with a connection each
 * @param engine the engine's SQL for benchmarks
 * @param product the name and version that the engine reports
 * @param settings the settings that decide how durable a commit is
 */
public record Site(
        OpenStore store,
        String url,
        @Nullable DataSource connections,
        int clients,
        EngineSql engine,
        String product,
        Map<String, String> settings) {

    /** Returns the site of a store. */
    public static Site of(OpenStore store, String url, @Nullable DataSource connections) {
        Optional<JdbcStore> tables = tables(store);
        if (tables.isEmpty()) {
            return new Site(store, url, null, Integer.MAX_VALUE, EngineSql.of(store), "", Map.of());
        }
        return tables.get().<Site, RuntimeException>inTransaction(connection -> {
            try {
                DatabaseMetaData about = connection.getMetaData();
                EngineSql engine = EngineSql.of(store);
                String product = about.getDatabaseProductName() + " " + about.getDatabaseProductVersion();
                return new Site(
                        store, url, connections, Integer.MAX_VALUE, engine, product, settings(engine, connection));
            } catch (SQLException e) {
                throw new Unavailable("cannot read the database's product and version (" + e.getMessage() + ")", e);
            }
        });
    }

    /** Closes the store and the connections. */
    void close() {
        try {
            store.close();
        } finally {
            if (connections instanceof Closeable pool) {
                close(pool);
            }
        }
    }

    private static void close(Closeable pool) {
        try {
            pool.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns this site with a limit on the number of clients. */
    Site withClients(int most) {
        return new Site(store, url, connections, most, engine, product, settings);
    }

    /** A database compatible with another may lack some of its views. */
    private static Map<String, String> settings(EngineSql engine, Connection connection) {
        try {
            return engine.settings(connection);
        } catch (SQLException e) {
            return Map.of();
        }
    }

    /** Returns the store's name, without the URL. */
    @Override
    public String toString() {
        return store.toString();
    }

    /** Returns whether rows can be inserted. */
    public boolean hasTables() {
        return tables(store).isPresent();
    }

    /**
     * Returns the store's transactions, in which tables can be created.
     *
     * @throws Misconfigured if the store has no tables
     */
    public TransactionScope<Connection> tables() {
        return tables(store)
                .orElseThrow(() -> new Misconfigured("--insert-rows creates a table by JDBC, but " + store
                        + " is no JDBC store; name a jdbc: or sqlite: URL, or leave the option out"));
    }

    private static Optional<JdbcStore> tables(OpenStore store) {
        return store instanceof JdbcStore tables ? Optional.of(tables) : Optional.empty();
    }

    /** Returns whether the benchmark has connections of its own. */
    public boolean hasConnections() {
        return connections != null;
    }

    /** Returns a connection in auto-commit mode; the caller closes it. */
    public Connection connect() {
        try {
            return Objects.requireNonNull(connections, "connections").getConnection();
        } catch (SQLException e) {
            throw new Unavailable(
                    "no further connection for the benchmark (" + e.getMessage()
                            + "); use fewer --threads, or let the server have more connections",
                    e);
        }
    }

    public void execute(String sql) {
        execute(tables(), sql);
    }

    static void execute(TransactionScope<Connection> store, String sql) {
        store.<Boolean, RuntimeException>inTransaction(connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            } catch (SQLException e) {
                throw failed(sql, e);
            }
        });
    }

    private static SequenceException failed(String sql, SQLException e) {
        return new Unavailable("the benchmark's own '" + sql + "' failed (" + e.getMessage() + ")", e);
    }
}
