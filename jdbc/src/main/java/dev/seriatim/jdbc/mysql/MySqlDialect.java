// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.CounterAdvance;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.FailureRemedies;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.jdbc.dialect.Grant;
import dev.seriatim.jdbc.dialect.LockWait;
import dev.seriatim.jdbc.dialect.LockWaits;
import dev.seriatim.jdbc.dialect.PoolClaim;
import dev.seriatim.jdbc.dialect.PoolSupport;
import dev.seriatim.jdbc.dialect.QueryTimeoutWait;
import dev.seriatim.jdbc.dialect.SavepointSupport;
import dev.seriatim.jdbc.dialect.SqlExpressions;
import dev.seriatim.jdbc.dialect.TableLookup;
import dev.seriatim.jdbc.functions.FunctionSupport;
import dev.seriatim.jdbc.functions.SqlFunctions;
import dev.seriatim.table.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** MySQL 8 or later. */
public record MySqlDialect()
        implements Dialect,
                FailureRemedies,
                FunctionSupport,
                LockWaits,
                PoolSupport,
                SavepointSupport,
                SqlExpressions,
                TableLookup {

    private static final int QUERY_INTERRUPTED = 1317;

    @Override
    public String product() {
        return "MySQL";
    }

    @Override
    public String quote(String identifier) {
        return MySqlFamily.quote(identifier);
    }

    @Override
    public String nameType() {
        return "VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin";
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
    public SqlFunctions functions(SequenceTable table) {
        return new MySqlFunctions(table, nameType(), false);
    }

    @Override
    public String findTable() {
        return MySqlFamily.FIND_TABLE;
    }

    @Override
    public CounterAdvance advance() {
        return new LastInsertId();
    }

    @Override
    public LockWait lockWait(Duration atMost) {
        return new QueryTimeoutWait(atMost);
    }

    /** On a MySQL server, MariaDB's driver ends statements that time out with KILL QUERY. */
    @Override
    public boolean lockHeld(SQLException e) {
        return e.getErrorCode() == QUERY_INTERRUPTED || MySqlFamily.lockHeld(e);
    }

    @Override
    public void boundLockWaits(Connection connection, Duration atMost) throws SQLException {
        MySqlFamily.boundLockWaits(connection, atMost);
    }

    @Override
    public LockWait ownLockWait(Duration atMost) {
        return lockWait(atMost);
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        return Optional.of(advance());
    }

    @Override
    public Optional<PoolClaim> poolClaim(String table) {
        return Optional.of(new LockThenDelete(quote(table), table, false));
    }

    @Override
    public List<String> preflight(Connection connection, String table) throws SQLException {
        return MySqlFamily.preflight(connection, table);
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
