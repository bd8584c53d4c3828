// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.CounterAdvance;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.FailureRemedies;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.dialect.Grant;
import dev.seriatim.jdbc.dialect.PoolSupport;
import dev.seriatim.jdbc.dialect.SavepointSupport;
import dev.seriatim.jdbc.dialect.SqlExpressions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * TiDB, supported on the basis of its vendor's documentation alone: MySQL's protocol and statements over a store that
 * replicates each commit.
 */
public record TiDbDialect() implements Dialect, FailureRemedies, PoolSupport, SavepointSupport, SqlExpressions {

    @Override
    public String product() {
        return "TiDB (not tested here)";
    }

    @Override
    public String quote(String identifier) {
        return MySqlFamily.quote(identifier);
    }

    @Override
    public String nameType() {
        return "VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
    }

    @Override
    public String exact(String text) {
        return MySqlFamily.exact(text);
    }

    @Override
    public String tableOptions() {
        return " ENGINE = InnoDB";
    }

    @Override
    public List<Grant> grants(String table) {
        return MySqlFamily.grants(table);
    }

    @Override
    public String grantee() {
        return MySqlFamily.GRANTEE;
    }

    @Override
    public CounterAdvance advance() {
        return new LastInsertId();
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        return Optional.of(advance());
    }

    @Override
    public String whyNoPool() {
        return "TiDB has no SKIP LOCKED";
    }

    @Override
    public List<String> preflight(Connection connection, String table) throws SQLException {
        // A commit is acknowledged when a majority of replicas has written it to disk; no session setting changes that.
        return List.of();
    }

    @Override
    public boolean lockHeld(SQLException e) {
        return MySqlFamily.lockHeld(e);
    }

    @Override
    public Fault fault(SQLException e) {
        return MySqlFamily.fault(e);
    }

    @Override
    public Optional<String> remedy(String database, String why, SQLException e) {
        return MySqlFamily.remedy(database, why, e);
    }

    @Override
    public boolean refusesCommit(SQLException e) {
        return MySqlFamily.refusesCommit(e);
    }
}
