// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.NativeEngine;
import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.jdbc.sql.SqlFunctions;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * MariaDB 10 or later, standalone or as a node of a Galera cluster.
 *
 * @param cluster whether several nodes accept writes
 * @param skipsLocked whether it supports {@code SKIP LOCKED}
 * @param putsBack whether a statement can restore {@code LAST_INSERT_ID()}
 * @param guardsSnapshots whether a statement can fail on a row newer than the transaction's snapshot (error 1020; since 11.6.2 by
 *     default)
 */
public record MariaDbDialect(boolean cluster, boolean skipsLocked, boolean putsBack, boolean guardsSnapshots)
        implements MySqlFamily, NativeEngine.Support {

    private static final String SET = "SET STATEMENT ";

    /** A draw continues from the newest counter, whatever the caller's snapshot. */
    static final String NEWEST = "innodb_snapshot_isolation = OFF";

    private static final int OLDEST_MAJOR = 10;
    private static final int OLDEST_MINOR = 3;

    @Override
    public String product() {
        return cluster ? "MariaDB Galera cluster" : "MariaDB";
    }

    @Override
    public String nameType() {
        return "VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";
    }

    @Override
    public String upToDate(String query) {
        // Without this setting, a node may answer before it has applied what another node has acknowledged.
        return cluster ? with("wsrep_sync_wait = 1", query) : query;
    }

    /** {@inheritDoc} Seen on Galera with MariaDB 10.11: the other nodes apply the rows, or fail to and leave the cluster. */
    @Override
    public boolean forgetsSavepointsBeforeWrites() {
        return cluster;
    }

    /** {@inheritDoc} Any node of a cluster may answer: it has applied what all of them have acknowledged. */
    @Override
    public Optional<String> onStandby() {
        return cluster ? Optional.of("0") : MySqlFamily.super.onStandby();
    }

    @Override
    public String server() {
        return cluster ? "''" : MySqlFamily.super.server();
    }

    /** {@inheritDoc} A node of a cluster may lag behind, and another node's commit ends a transaction at any moment. */
    @Override
    public boolean sharesLeanly() {
        return !cluster;
    }

    /** {@inheritDoc} A node of a cluster may not: see mariadb-corporation/mysql-wsrep issue 287. */
    @Override
    public boolean answersPreparation() {
        return !cluster;
    }

    @Override
    public void endOutdated(Connection unchanged) throws SQLException {
        if (cluster) {
            unchanged.rollback();
        }
    }

    /** Returns a statement for which a setting holds. */
    static String with(String setting, String sql) {
        return sql.startsWith(SET) ? SET + setting + ", " + sql.substring(SET.length()) : SET + setting + " FOR " + sql;
    }

    @Override
    public String newest(String sql) {
        return guardsSnapshots ? with(NEWEST, sql) : sql;
    }

    @Override
    public Optional<SqlFunctions> functions(SequenceTable table, Optional<String> schema) {
        return Optional.of(new MySqlFunctions(table, schema, nameType(), true, newest("")));
    }

    @Override
    public CounterAdvance advance() {
        return new LastInsertId(newest(putsBack ? with(LastInsertId.PUT_BACK, "") : ""));
    }

    @Override
    public LockWait lockWait(Duration atMost) {
        return new StatementTimeWait(atMost);
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        // After a conflict, a cluster repeats an auto-commit statement automatically and may return the failed
        // attempt's number: use a transaction that we repeat.
        return cluster ? Optional.empty() : Optional.of(new LastInsertId());
    }

    @Override
    public Optional<PoolClaim> poolClaim(String table) {
        return cluster || !skipsLocked ? Optional.empty() : Optional.of(new LockThenDelete(table, true, newest("")));
    }

    @Override
    public String whyNoPool() {
        return cluster ? """
                        each node of a Galera cluster sees only its own locks, so transactions on two nodes would \
                        claim the same numbers and fail at commit""" : "SKIP LOCKED requires MariaDB 10.6 or later";
    }

    @Override
    public NativeEngine nativeSequences(Connection connection) throws SQLException {
        if (cluster) {
            throw NativeEngine.unsuitable(product() + """
                    : nodes deal the same values of a native sequence, even with INCREMENT BY 0, whose steps follow the \
                    cluster's size""");
        }
        DatabaseMetaData version = connection.getMetaData();
        if (version.getDatabaseMajorVersion() == OLDEST_MAJOR && version.getDatabaseMinorVersion() < OLDEST_MINOR) {
            throw NativeEngine.unsuitable(
                    product() + " " + version.getDatabaseProductVersion() + " has no sequences, which require 10.3");
        }
        return new MariaDbSequences();
    }

    /** Limits the wait of one statement for row and table locks with {@code max_statement_time}. */
    private record StatementTimeWait(Duration atMost) implements LockWait {

        @Override
        public String bounded(String sql) {
            return with("max_statement_time = " + Math.max(1, atMost.toMillis()) / 1000.0, sql);
        }

        @Override
        public boolean exact() {
            return true;
        }
    }
}
