// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source over another that does something when the next commit is about to be sent. Thread-safe. */
final class CommitWatch {

    private final DataSource target;
    private final AtomicReference<@Nullable Runnable> beforeNext = new AtomicReference<>();

    CommitWatch(DataSource target) {
        this.target = target;
    }

    void beforeNextCommit(Runnable what) {
        beforeNext.set(what);
    }

    DataSource source() {
        return proxy(DataSource.class, (self, method, arguments) -> {
            Object result = call(() -> method.invoke(target, arguments));
            return result instanceof Connection connection ? watched(connection) : result;
        });
    }

    private Connection watched(Connection connection) {
        return proxy(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("commit")) {
                Runnable what = beforeNext.getAndSet(null);
                if (what != null) {
                    what.run();
                }
            }
            return call(() -> method.invoke(connection, arguments));
        });
    }

    @FunctionalInterface
    private interface Invocation {
        @Nullable
        Object run() throws ReflectiveOperationException;
    }

    private static @Nullable Object call(Invocation invocation) throws Throwable {
        try {
            return invocation.run();
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(CommitWatch.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
