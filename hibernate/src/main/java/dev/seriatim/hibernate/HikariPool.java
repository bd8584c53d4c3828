// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens connections as a HikariCP pool does, beside it. Loaded only where HikariCP is. */
final class HikariPool {
    private HikariPool() {}

    /** Returns a data source beside the pool; null if this is no such pool, or if it cannot be known how it connects. */
    static @Nullable DataSource unpooled(DataSource source) {
        HikariDataSource pool = pool(source);
        if (pool == null) {
            return null;
        }
        SuppliedDataSource.Supply supply = supply(pool);
        return supply == null ? null : new SuppliedDataSource(() -> prepared(supply.get(), pool));
    }

    private static @Nullable HikariDataSource pool(DataSource source) {
        try {
            return source.isWrapperFor(HikariDataSource.class) ? source.unwrap(HikariDataSource.class) : null;
        } catch (SQLException e) {
            return null;
        }
    }

    private static SuppliedDataSource.@Nullable Supply supply(HikariDataSource pool) {
        DataSource below = pool.getDataSource();
        String user = pool.getUsername();
        String password = pool.getPassword();
        if (below != null) {
            return user == null ? below::getConnection : () -> below.getConnection(user, password);
        }
        if (pool.getJdbcUrl() == null) {
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
        return ConnectionSettings.unpooled(pool.getJdbcUrl(), properties)::getConnection;
    }

    /** The schema decides which table of sequences is found. */
    private static Connection prepared(Connection connection, HikariDataSource pool) throws SQLException {
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
