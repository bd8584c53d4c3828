// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens connections as a HikariCP pool does, beside it. */
final class HikariConnections {

    private static final boolean PRESENT = isPresent();

    /** URLs of which each connection opens another, empty database, which ends with it. */
    private static final Pattern PRIVATE =
            Pattern.compile("jdbc:h2:mem:(;.*)?|jdbc:sqlite:(\\?.*)?|jdbc:sqlite:(file:)?:memory:.*");

    private HikariConnections() {}

    private static boolean isPresent() {
        try {
            Class.forName("com.zaxxer.hikari.HikariDataSource", false, HikariConnections.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns what opens connections beside the pool; empty if this is no such pool, or if it cannot be known how it connects. */
    static Optional<Supply> beside(DataSource source) {
        return PRESENT
                ? Pool.of(source).map(pool -> () -> pool.prepared(pool.supply().get()))
                : Optional.empty();
    }

    /** Opens a connection. */
    @FunctionalInterface
    interface Supply {
        Connection get() throws SQLException;
    }

    /** Loaded only where HikariCP is. */
    private record Pool(HikariDataSource pool, Supply supply) {

        static Optional<Pool> of(DataSource source) {
            HikariDataSource pool = unwrapped(source);
            Supply supply = pool == null ? null : supply(pool);
            return pool == null || supply == null ? Optional.empty() : Optional.of(new Pool(pool, supply));
        }

        private static @Nullable HikariDataSource unwrapped(DataSource source) {
            try {
                return source.isWrapperFor(HikariDataSource.class) ? source.unwrap(HikariDataSource.class) : null;
            } catch (SQLException e) {
                return null;
            }
        }

        private static @Nullable Supply supply(HikariDataSource pool) {
            DataSource below = pool.getDataSource();
            String user = pool.getUsername();
            String password = pool.getPassword();
            if (below != null) {
                return user == null ? below::getConnection : () -> below.getConnection(user, password);
            }
            String url = pool.getJdbcUrl();
            if (url == null || PRIVATE.matcher(url).matches()) {
                return null;
            }
            Properties properties = new Properties();
            properties.putAll(pool.getDataSourceProperties());
            if (user != null) {
                properties.setProperty("user", user);
            }
            if (password != null) {
                properties.setProperty("password", password);
            }
            return () -> DriverManager.getConnection(url, properties);
        }

        /** The schema decides which table of sequences is found. */
        Connection prepared(Connection connection) throws SQLException {
            try {
                if (pool.getCatalog() != null) {
                    connection.setCatalog(pool.getCatalog());
                }
                if (pool.getSchema() != null) {
                    connection.setSchema(pool.getSchema());
                }
                if (pool.getConnectionInitSql() != null) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(pool.getConnectionInitSql());
                    }
                }
                return connection;
            } catch (Throwable e) {
                try (connection) {
                    throw e;
                }
            }
        }
    }
}
