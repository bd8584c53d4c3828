// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.DriverManager;
import java.util.function.Supplier;

/**
 * Keeps {@link DriverManager}'s login timeout, which the whole JVM shares, as other tests expect it. HikariCP sets it
 * to about the connection timeout of a pool that has a URL.
 */
final class LoginTimeouts {

    private LoginTimeouts() {}

    /** Opens a pool that does not connect immediately. One at a time, so that no call restores another's value. */
    static synchronized <P> P keptFor(Supplier<P> pool) {
        int before = DriverManager.getLoginTimeout();
        try {
            return pool.get();
        } finally {
            DriverManager.setLoginTimeout(before);
        }
    }
}
