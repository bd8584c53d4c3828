// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How far claims have come on each connection, where those of one transaction must go upwards.
 *
 * <p>Nobody tells us when a caller's transaction ends. Pools of connections hand out a new object each time, so a connection
 * that has been seen before is most likely in the same transaction. If it is not, its claims overlook lower numbers that
 * have been put back, until the pool is looked through as a whole.
 *
 * <p>Thread-safe.
 */
final class PoolMarks {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Connection, Map<String, Long>> marks = new WeakHashMap<>();

    /** A new transaction begins on a connection. */
    void begins(Connection connection) {
        lock.lock();
        try {
            marks.remove(connection);
        } finally {
            lock.unlock();
        }
    }

    /** The place from which a claim may look; empty for anywhere. */
    OptionalLong of(Connection connection, String name) {
        lock.lock();
        try {
            Long mark = marks.getOrDefault(connection, Map.of()).get(name);
            return mark == null ? OptionalLong.empty() : OptionalLong.of(mark);
        } finally {
            lock.unlock();
        }
    }

    /** A claim has looked up to a place. */
    void reached(Connection connection, String name, long place) {
        lock.lock();
        try {
            marks.computeIfAbsent(connection, first -> new HashMap<>()).merge(name, place, Math::max);
        } finally {
            lock.unlock();
        }
    }
}
