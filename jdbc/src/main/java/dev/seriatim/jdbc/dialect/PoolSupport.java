// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.util.Optional;

/** A dialect that can claim numbers laid out ahead (POOLED mode), or explains why it cannot. */
public interface PoolSupport {

    /** For engines that do not support pools. */
    PoolSupport NONE = new PoolSupport() {};

    /** Returns the dialect's implementation, or {@link #NONE}. */
    static PoolSupport of(Dialect dialect) {
        return dialect instanceof PoolSupport own ? own : NONE;
    }

    /**
     * Returns how numbers laid out ahead are claimed; empty if unsupported.
     *
     * @param table the table of the pools, quoted
     */
    default Optional<PoolClaim> poolClaim(String table) {
        return Optional.empty();
    }

    /** Returns why pools are unsupported, for display. */
    default String whyNoPool() {
        return "it requires FOR UPDATE SKIP LOCKED, as in PostgreSQL, MariaDB 10.6 and MySQL 8";
    }
}
