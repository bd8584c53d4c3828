// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A proxy of a connection that is lent to users' code. The statements and results that it makes are proxies, too, and
 * lead back to it. As thread-safe as its connection.
 */
public abstract class LentConnection {

    /** A callable statement is a prepared statement, which is a statement. */
    private static final List<Class<?>> LEADING_BACK = List.of(
            CallableStatement.class, PreparedStatement.class, Statement.class, ResultSet.class, DatabaseMetaData.class);

    protected final Connection connection;
    private final Connection lent;

    protected LentConnection(Connection connection) {
        this.connection = connection;
        lent = proxy(Connection.class, new Calls(this, connection));
    }

    public final Connection lent() {
        return lent;
    }

    protected abstract @Nullable Object onConnection(Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable;

    /** Runs a method of a statement, a result or the metadata. */
    protected abstract @Nullable Object onMade(Object made, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable;

    /** Called with what a call has thrown. */
    protected abstract void failed(Throwable thrown);

    protected final @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            failed(e.getTargetException());
            throw e.getTargetException();
        }
    }

    /** Returns a proxy of an object that leads back to its connection; returns any other object as it is. */
    protected final @Nullable Object wrapped(@Nullable Object made) {
        for (Class<?> type : LEADING_BACK) {
            if (made != null && type.isInstance(made)) {
                return proxy(type, new Calls(this, made));
            }
        }
        return made;
    }

    /** Returns the lender of a connection; null if it is no such proxy. */
    static @Nullable LentConnection behind(Connection connection) {
        return connection instanceof Proxy && Proxy.getInvocationHandler(connection) instanceof Calls calls
                ? calls.lender
                : null;
    }

    /** Returns an object of this type whose methods the handler runs. */
    public static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(LentConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private record Calls(LentConnection lender, Object target) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            return switch (method.getName()) {
                case "equals" -> arguments != null && self == arguments[0];
                case "hashCode" -> System.identityHashCode(self);
                case "getConnection" -> lender.lent;
                default ->
                    fitting(
                            method,
                            target == lender.connection
                                    ? lender.onConnection(method, arguments)
                                    : lender.onMade(target, method, arguments));
            };
        }

        /** Returns the object itself where a method returns it as another type: SQLite's results are their own metadata. */
        private static @Nullable Object fitting(Method method, @Nullable Object result) {
            return result instanceof Proxy
                            && !method.getReturnType().isInstance(result)
                            && Proxy.getInvocationHandler(result) instanceof Calls calls
                    ? calls.target
                    : result;
        }
    }
}
