// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Made when first asked for; after a failure, the next to ask tries again. Thread-safe. */
final class Once<T> {
    private final Supplier<T> maker;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable T made;

    Once(Supplier<T> maker) {
        this.maker = maker;
    }

    T get() {
        // Held while it is made, which may take long: who else needs it has to wait for it anyway.
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
