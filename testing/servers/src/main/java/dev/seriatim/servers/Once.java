// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates a value on first use; after a failure, the next call tries again. Thread-safe. */
final class Once<T> {
    private final Supplier<T> maker;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable T made;

    Once(Supplier<T> maker) {
        this.maker = maker;
    }

    T get() {
        // Held during the creation, which may take long, because all callers need its result anyway.
        lock.lock();
        try {
            T present = made == null ? maker.get() : made;
            made = present;
            return present;
        } finally {
            lock.unlock();
        }
    }
}
