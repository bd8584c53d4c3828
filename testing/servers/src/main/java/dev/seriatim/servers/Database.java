// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database, and an account with all rights in it. Immutable.
 *
 * @param location its JDBC URL without an account
 * @param user the account's name; empty if the engine has none
 * @param password the account's password
 */
public record Database(JdbcLocation location, String user, String password) {
    /** Returns the JDBC URL including the account, which is all that another process needs. */
    public String url() {
        return location.with(user, password);
    }

    /** Returns the same database with another account. */
    public Database as(String otherUser, String otherPassword) {
        return new Database(location, otherUser, otherPassword);
    }

    /** Returns the same database at another address, {@code host:port}. */
    public Database at(String hostAndPort) {
        return new Database(location.at(hostAndPort), user, password);
    }

    /** Returns the same database with another property of the driver. */
    public Database option(String name, String value) {
        return new Database(location.option(name, value), user, password);
    }

    /** Opens a connection; the caller closes it. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Returns a data source that opens a new connection for each request, without a pool. */
    public DataSource dataSource() {
        return new Unpooled(this);
    }

    /** Runs each statement and commits it. */
    public void execute(String... statements) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns the number in the first column of the first row of the result. */
    public long number(String query) throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement();
                var answer = statement.executeQuery(query)) {
            if (!answer.next()) {
                throw new SQLException("no row: " + query);
            }
            return answer.getLong(1);
        }
    }

    @Override
    public String toString() {
        return location.toString();
    }

    /** Opens a new connection for each request. Thread-safe. */
    private record Unpooled(Database database) implements DataSource {
        @Override
        public Connection getConnection() throws SQLException {
            return database.connect();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return database.as(user, password).connect();
        }

        @Override
        public @Nullable PrintWriter getLogWriter() {
            return null;
        }

        @Override
        public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
            throw new SQLFeatureNotSupportedException("no log writer");
        }

        @Override
        public void setLoginTimeout(int seconds) throws SQLException {
            throw new SQLFeatureNotSupportedException("no login timeout");
        }

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException("no logger");
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLException("not a wrapper of " + type.getName());
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }
}
