// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Data sources on whose connections a statement that reserves numbers takes longer, once this is switched on; each
 * refill is one such statement. Thread-safe.
 */
final class SlowRefills {

    /** An update of Seriatim's row, of CosId's, and of the row of Hibernate's table; a call of a native sequence. */
    private static final Pattern REFILL = Pattern.compile("(?is)\\s*(update\\s+[\"`]?"
            + "(seriatim_sequence|row_cosid_segments|row_table_generator)\\b|select\\s+(nextval|next value for)\\b).*");

    private final Duration delay;
    private final LongAdder delayed = new LongAdder();
    private volatile boolean on;

    SlowRefills(Duration delay) {
        this.delay = delay;
    }

    boolean arePossible() {
        return !delay.isZero();
    }

    void set(boolean on) {
        this.on = on;
    }

    long delayed() {
        return delayed.sum();
    }

    /** Returns the data source with slow refills; itself if no delay is possible. */
    DataSource of(DataSource source) {
        return arePossible() ? proxy(DataSource.class, source, false) : source;
    }

    private <T> T proxy(Class<T> type, Object target, boolean refill) {
        return type.cast(Proxy.newProxyInstance(
                SlowRefills.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments, refill)));
    }

    private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments, boolean refill)
            throws Throwable {
        boolean named = arguments != null
                && arguments.length > 0
                && arguments[0] instanceof String sql
                && REFILL.matcher(sql).matches();
        if (method.getName().startsWith("execute") && (refill || named) && on) {
            await();
        }
        try {
            Object result = method.invoke(target, arguments);
            if (method.getDeclaringClass() == DataSource.class && result instanceof Connection) {
                return proxy(Connection.class, result, false);
            }
            if (method.getDeclaringClass() == Connection.class && result instanceof Statement) {
                return proxy(method.getReturnType(), result, named);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Waits for the delay. An interrupt does not shorten the wait. */
    private void await() {
        delayed.increment();
        long end = System.nanoTime() + delay.toNanos();
        for (long left = delay.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
