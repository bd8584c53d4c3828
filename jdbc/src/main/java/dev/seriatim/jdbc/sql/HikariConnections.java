// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;

/** Opens connections as a HikariCP pool does, beside it. */
record HikariConnections(HikariDataSource pool) {

    /** Returns the opener of connections beside the pool; empty for other data sources, and without HikariCP. */
    static Optional<LoginWait.Login> beside(DataSource source) {
        try {
            return source.isWrapperFor(HikariDataSource.class)
                    ? Optional.of(new HikariConnections(source.unwrap(HikariDataSource.class))::connection)
                    : Optional.empty();
        } catch (SQLException | NoClassDefFoundError absent) {
            return Optional.empty();
        }
    }

    /** Uses the pool's current account, since passwords expire. */
    Connection connection() throws SQLException {
        Connection connection = opened();
        try {
            prepare(connection);
            return connection;
        } catch (Throwable e) {
            Sql.close(connection);
            throw e;
        }
    }

    private Connection opened() throws SQLException {
        DataSource below = pool.getDataSource();
        if (below == null && pool.getJdbcUrl() == null) {
            below = made();
        }
        String user = pool.getUsername();
        String password = pool.getPassword();
        if (below != null) {
            return user == null ? below.getConnection() : below.getConnection(user, password);
        }
        Properties properties = new Properties();
        properties.putAll(pool.getDataSourceProperties());
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        new DriverUrl(pool.getJdbcUrl()).boundCancelling(properties);
        return DriverManager.getConnection(pool.getJdbcUrl(), properties);
    }

    /** Returns the data source that the pool created, or found in JNDI, when it started. */
    private DataSource made() throws SQLException {
        if (pool.getHikariPoolMXBean() == null) {
            pool.getConnection().close();
        }
        return ((HikariPool) pool.getHikariPoolMXBean()).getUnwrappedDataSource();
    }

    /** The schema decides which table of sequences is found. */
    private void prepare(Connection connection) throws SQLException {
        if (pool.getCatalog() != null) {
            connection.setCatalog(pool.getCatalog());
        }
        if (pool.getSchema() != null) {
            connection.setSchema(pool.getSchema());
        }
        if (pool.getConnectionInitSql() != null) {
            Sql.execute(connection, pool.getConnectionInitSql());
        }
    }
}
