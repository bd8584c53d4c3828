// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A database that says of one commit in so many that it has succeeded, and has rolled it back: {@code jdbc:dropping:100:sqlite:FILE}. */
public final class DroppingDriver implements Driver {

    private static final String PREFIX = "jdbc:dropping:";

    static {
        try {
            DriverManager.registerDriver(new DroppingDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static String url(int oneIn, String rest) {
        return PREFIX + oneIn + ":" + rest;
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public @Nullable Connection connect(String url, Properties properties) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        String[] parts = url.substring(PREFIX.length()).split(":", 2);
        Connection real = DriverManager.getConnection("jdbc:" + parts[1], properties);
        return proxy(Connection.class, new Dropping(real, Integer.parseInt(parts[0])));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(DroppingDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private record Dropping(Connection real, int oneIn) implements InvocationHandler {

        private boolean drops() {
            return ThreadLocalRandom.current().nextInt(oneIn) == 0;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            boolean commits = method.getName().equals("commit")
                    || (method.getName().equals("setAutoCommit")
                            && arguments != null
                            && Boolean.TRUE.equals(arguments[0]));
            if (commits && !real.getAutoCommit() && drops()) {
                real.rollback();
                return method.getName().equals("commit") ? null : call(real, method, arguments);
            }
            Object result = call(real, method, arguments);
            if (result instanceof PreparedStatement statement) {
                return proxy(PreparedStatement.class, new OfStatement(this, statement, text(arguments)));
            }
            if (result instanceof Statement statement) {
                return proxy(Statement.class, new OfStatement(this, statement, ""));
            }
            return result;
        }
    }

    /** A statement that commits by itself, or one that says COMMIT. */
    private record OfStatement(Dropping connection, Statement real, String sql) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            String text = (arguments != null && arguments.length > 0 && arguments[0] instanceof String given
                            ? given
                            : sql)
                    .strip()
                    .toUpperCase(Locale.ROOT);
            boolean executes = method.getName().startsWith("execute");
            if (executes && text.equals("COMMIT") && connection.drops()) {
                real.getConnection().createStatement().execute("ROLLBACK");
                return method.getReturnType() == int.class ? 0 : method.getReturnType() == boolean.class ? false : null;
            }
            if (executes
                    && (text.startsWith("UPDATE") || text.startsWith("INSERT"))
                    && connection.real().getAutoCommit()
                    && connection.drops()) {
                connection.real().setAutoCommit(false);
                try {
                    return call(real, method, arguments);
                } finally {
                    connection.real().rollback();
                    connection.real().setAutoCommit(true);
                }
            }
            return call(real, method, arguments);
        }
    }

    private static String text(@Nullable Object @Nullable [] arguments) {
        return arguments != null && arguments.length > 0 && arguments[0] instanceof String given ? given : "";
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }
}
