// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.DriverManager;
import java.util.function.Supplier;

/**
 * Keeps the time that logging in may take, which {@link DriverManager} has once for a whole JVM, as it is for other tests: HikariCP sets
 * it by the timeout of a pool that is given a URL.
 */
final class LoginTimeouts {

    private LoginTimeouts() {}

    /** Opens a pool that does not connect at once. */
    static <P> P keptFor(Supplier<P> pool) {
        int before = DriverManager.getLoginTimeout();
        try {
            return pool.get();
        } finally {
            DriverManager.setLoginTimeout(before);
        }
    }
}
