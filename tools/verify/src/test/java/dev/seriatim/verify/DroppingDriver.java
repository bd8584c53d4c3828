// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A database that lies once in n times: {@code jdbc:dropping:100:sqlite:FILE} says that the commit of an update has succeeded, and has
 * rolled it back; {@code jdbc:denying:…} says that a commit conflicts, and has committed; {@code jdbc:repeating:…} deals numbers again,
 * which it shows when they are inserted. Transactions without an update are kept: they create the tables and rows that the modes need.
 */
public final class DroppingDriver implements Driver {

    private static final Pattern URL = Pattern.compile("jdbc:(dropping|denying|repeating):(\\d+):(.*)");

    private static final int SQLITE_BUSY = 5;

    private static final Pattern LEDGER =
            Pattern.compile("INSERT INTO \\S*SERIATIM_VERIFY_\\w+_(SYNC|GROUPED|POOLED)\\S* \\(N\\) VALUES.*");

    static {
        try {
            DriverManager.registerDriver(new DroppingDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static String url(int oneIn, String rest) {
        return url("dropping", oneIn, rest);
    }

    static String url(String lie, int oneIn, String rest) {
        return "jdbc:" + lie + ":" + oneIn + ":" + rest;
    }

    @Override
    public boolean acceptsURL(String url) {
        return URL.matcher(url).matches();
    }

    @Override
    public @Nullable Connection connect(String url, Properties properties) throws SQLException {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            return null;
        }
        Connection real = DriverManager.getConnection("jdbc:" + parts.group(3), properties);
        return proxy(
                Connection.class,
                new Dropping(
                        real,
                        parts.group(1),
                        Integer.parseInt(parts.group(2)),
                        new AtomicBoolean(),
                        new AtomicBoolean()));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(DroppingDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private record Dropping(Connection real, String lie, int oneIn, AtomicBoolean inserted, AtomicBoolean updated)
            implements InvocationHandler {

        private boolean lies(String how) {
            return lie.equals(how) && ThreadLocalRandom.current().nextInt(oneIn) == 0;
        }

        private boolean drops() {
            return updated.getAndSet(false) && lies("dropping");
        }

        private void deny() throws SQLException {
            if (inserted.getAndSet(false) && lies("denying")) {
                throw new SQLException("the commit conflicts", "40001", SQLITE_BUSY);
            }
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
            boolean open = commits && !real.getAutoCommit();
            Object result = call(real, method, arguments);
            if (open) {
                deny();
            }
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
            if (executes && text.equals("COMMIT")) {
                Object result = call(real, method, arguments);
                connection.deny();
                return result;
            }
            if (executes && LEDGER.matcher(text).matches()) {
                connection.inserted().set(true);
            }
            if (executes && text.startsWith("UPDATE")) {
                connection.updated().set(true);
            }
            if (method.getName().equals("setLong")
                    && LEDGER.matcher(text).matches()
                    && arguments != null
                    && connection.lies("repeating")) {
                return call(real, method, arguments[0], Math.max(1, (Long) arguments[1] - 1));
            }
            if (executes && text.startsWith("UPDATE") && connection.real().getAutoCommit() && connection.drops()) {
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

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable ... arguments)
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
