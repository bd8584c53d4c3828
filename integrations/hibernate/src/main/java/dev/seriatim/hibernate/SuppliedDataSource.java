// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.jspecify.annotations.Nullable;

/** A data source over anything that supplies connections. As thread-safe as that. */
final class SuppliedDataSource implements DataSource {

    /** Opens or borrows a connection. */
    @FunctionalInterface
    interface Supply {
        Connection get() throws SQLException;
    }

    /** Takes a borrowed connection back. */
    @FunctionalInterface
    private interface Return {
        void accept(Connection connection) throws SQLException;
    }

    private final Supply supply;

    SuppliedDataSource(Supply supply) {
        this.supply = supply;
    }

    static DataSource of(ConnectionProvider provider) {
        return new SuppliedDataSource(() -> lent(provider.getConnection(), provider::closeConnection));
    }

    static DataSource of(MultiTenantConnectionProvider<Object> provider, Object tenant) {
        return new SuppliedDataSource(() ->
                lent(provider.getConnection(tenant), connection -> provider.releaseConnection(tenant, connection)));
    }

    /** Returns the connection with a {@code close} that returns it to its provider. */
    private static Connection lent(Connection connection, Return back) {
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                SuppliedDataSource.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "close" -> {
                            if (!closed.getAndSet(true)) {
                                back.accept(connection);
                            }
                            return null;
                        }
                        case "equals" -> {
                            return proxy == args[0];
                        }
                        case "hashCode" -> {
                            return System.identityHashCode(proxy);
                        }
                        case "isClosed" -> {
                            if (closed.get()) {
                                return true;
                            }
                        }
                        default -> {
                            if (closed.get()) {
                                throw new SQLException("the connection has been returned to its provider");
                            }
                        }
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    @Override
    public Connection getConnection() throws SQLException {
        return supply.get();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("no other account");
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
