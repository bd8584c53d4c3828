// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens a new connection for each request. Thread-safe. */
record UnpooledDataSource(Database database) implements DataSource {
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
