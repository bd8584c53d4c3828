// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.util.Optional;

/** A dialect that can claim numbers that are laid out ahead (the mode POOLED), or says why it cannot. */
public interface PoolSupport {

    /** Of an engine that says nothing about it. */
    PoolSupport NONE = new PoolSupport() {};

    /** That of a dialect. */
    static PoolSupport of(Dialect dialect) {
        return dialect instanceof PoolSupport own ? own : NONE;
    }

    /**
     * How numbers that are laid out ahead are claimed; empty where they cannot be.
     *
     * @param table the table of the pools, unquoted
     */
    default Optional<PoolClaim> poolClaim(String table) {
        return Optional.empty();
    }

    /** Why they cannot be, for people. */
    default String whyNoPool() {
        return "it needs FOR UPDATE SKIP LOCKED as PostgreSQL, MariaDB 10.6 and MySQL 8 have it";
    }
}
