// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * A real data source whose connections fail once in the named calls, before the call reaches the driver, or after the
 * driver's {@code close}. It records which calls changed a connection's mode. Thread-safe.
 */
final class FailingConnections {

    private final Map<String, Supplier<Exception>> failures = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();

    /** Makes the next such call fail, for example {@code setAutoCommit(true)} or {@code rollback}. */
    void failNext(String call, Supplier<Exception> failure) {
        failures.put(call, failure);
    }

    void failNext(String call) {
        failNext(call, () -> new SQLException(call + " timed out"));
    }

    /** Returns whether the failure has occurred. */
    boolean failed(String call) {
        return !failures.containsKey(call);
    }

    /** Returns the calls so far that began, ended or changed something. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    DataSource over(DataSource source) {
        return proxy(DataSource.class, source, Map.of());
    }

    private Connection failing(Connection connection) {
        return proxy(Connection.class, connection, failures);
    }

    private <T> T proxy(Class<T> type, T target, Map<String, Supplier<Exception>> failing) {
        return DriverProxy.of(type, (self, method, arguments) -> {
            String call = method.getName();
            if (call.equals("setAutoCommit")) {
                call += "(" + arguments[0] + ")";
            }
            if (call.startsWith("set") || call.equals("commit") || call.equals("rollback")) {
                calls.add(call);
            }
            Supplier<Exception> failure = arguments != null && call.equals("rollback") ? null : failing.get(call);
            if (failure != null) {
                failures.remove(call);
                if (call.equals("close")) {
                    method.invoke(target, arguments);
                }
                throw failure.get();
            }
            Object result = method.invoke(target, arguments);
            return result instanceof Connection c && method.getName().equals("getConnection") ? failing(c) : result;
        });
    }
}
