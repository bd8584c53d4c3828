// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;

/** Makes data sources of anything that supplies connections. They are as thread-safe as that. */
final class SuppliedDataSource {

    private SuppliedDataSource() {}

    /** Returns a data source whose connections are opened or borrowed by {@code supply}. */
    static DataSource of(Callable<Connection> supply) {
        return proxy(DataSource.class, (self, method, args) -> switch (method.getName()) {
            case "isWrapperFor" -> false;
            case "toString" -> "a source of connections";
            case "getConnection" -> {
                if (args != null) {
                    throw new SQLFeatureNotSupportedException("no other account");
                }
                yield supply.call();
            }
            default -> throw new SQLFeatureNotSupportedException("connections only, no " + method.getName());
        });
    }

    static DataSource of(ConnectionProvider provider) {
        return of(() -> {
            Connection connection = provider.getConnection();
            return lent(connection, () -> provider.closeConnection(connection));
        });
    }

    static DataSource of(MultiTenantConnectionProvider<Object> provider, Object tenant) {
        return of(() -> {
            Connection connection = provider.getConnection(tenant);
            return lent(connection, () -> provider.releaseConnection(tenant, connection));
        });
    }

    /** Returns the connection with a {@code close} that returns it to its provider. */
    private static Connection lent(Connection connection, AutoCloseable back) {
        AtomicBoolean closed = new AtomicBoolean();
        return proxy(Connection.class, (self, method, args) -> {
            if (method.getName().equals("close")) {
                if (!closed.getAndSet(true)) {
                    back.close();
                }
                return null;
            }
            if (closed.get()) {
                if (method.getName().equals("isClosed")) {
                    return true;
                }
                throw new SQLException("the connection has been returned to its provider");
            }
            try {
                return method.invoke(connection, args);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        InvocationHandler handler = (self, method, args) -> switch (method.getName()) {
            case "equals" -> self == args[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> calls.invoke(self, method, args);
        };
        return type.cast(
                Proxy.newProxyInstance(SuppliedDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
