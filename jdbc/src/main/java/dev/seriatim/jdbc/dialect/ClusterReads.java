// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** A dialect whose engine may answer before it has applied what another node has acknowledged. */
public interface ClusterReads {

    /** Of the other engines. */
    ClusterReads NOT_NEEDED = new ClusterReads() {};

    /** Those of a dialect. */
    static ClusterReads of(Dialect dialect) {
        return dialect instanceof ClusterReads own ? own : NOT_NEEDED;
    }

    /**
     * A query that sees whatever has been acknowledged, by any node of a cluster, where it is outside of transactions or the
     * first statement of one.
     */
    default String upToDate(String query) {
        return query;
    }

    /** Ends a transaction that has changed nothing where only the first statement of the next one can be {@link #upToDate}. */
    default void beginAnew(Connection unchanged) throws SQLException {}
}
