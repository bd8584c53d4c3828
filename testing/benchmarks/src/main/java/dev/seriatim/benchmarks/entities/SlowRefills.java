// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Connections on which a statement that reserves numbers takes longer, whoever sends it; all others are as fast as
 * before. Each generator reserves a block with one such statement, so each refill is delayed once.
 */
record SlowRefills(DataSource behind, RefillDelay delay) implements DataSource {

    /** An update of Seriatim's row, of CosId's, and of the row of Hibernate's table; a call of a native sequence. */
    private static final Pattern REFILL = Pattern.compile("(?is)\\s*(update\\s+[\"`]?"
            + "(seriatim_sequence|row_cosid_segments|row_table_generator)\\b|select\\s+(nextval|next value for)\\b).*");

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = behind.getConnection();
        return delay.isPossible() ? proxy(Connection.class, connection, false) : connection;
    }

    private <T> T proxy(Class<T> type, T target, boolean refill) {
        return type.cast(Proxy.newProxyInstance(
                SlowRefills.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments, refill)));
    }

    private Object call(Object target, Method method, Object[] arguments, boolean refill) throws Throwable {
        boolean named = arguments != null
                && arguments.length > 0
                && arguments[0] instanceof String sql
                && REFILL.matcher(sql).matches();
        if (method.getName().startsWith("execute") && (refill || named)) {
            delay.await();
        }
        try {
            Object result = method.invoke(target, arguments);
            if (result instanceof Statement statement && method.getDeclaringClass() == Connection.class) {
                return statement(method.getReturnType().asSubclass(Statement.class), statement, named);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private <T extends Statement> T statement(Class<T> type, Statement statement, boolean refill) {
        return proxy(type, type.cast(statement), refill);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the user is that of the data source");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return behind.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        behind.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        behind.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return behind.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return behind.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return behind.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return false;
    }
}
