// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** A dialect whose engine may answer before it has applied what another node has acknowledged. */
public interface ClusterReads {

    /** For all other engines. */
    ClusterReads NOT_NEEDED = new ClusterReads() {};

    /** Returns the dialect's implementation, or {@link #NOT_NEEDED}. */
    static ClusterReads of(Dialect dialect) {
        return dialect instanceof ClusterReads own ? own : NOT_NEEDED;
    }

    /**
     * Returns a query that sees everything that any node of a cluster has acknowledged, if it runs outside
     * transactions or as the first statement of one.
     */
    default String upToDate(String query) {
        return query;
    }

    /**
     * Ends a transaction that has changed nothing if only the first statement of the next one can be {@link
     * #upToDate}.
     */
    default void beginAnew(Connection unchanged) throws SQLException {}

    /**
     * Returns whether what a rollback to a savepoint has undone may still reach other nodes, if the session has written nothing
     * before that savepoint.
     */
    default boolean forgetsSavepointsBeforeWrites() {
        return false;
    }
}
