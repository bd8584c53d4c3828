// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.sql.LockWait;
import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.jdbc.sql.SqlFunctions;
import dev.seriatim.store.SequenceTable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** MySQL 8 or later. */
public record MySqlDialect() implements MySqlFamily {

    private static final int QUERY_INTERRUPTED = 1317;

    @Override
    public String product() {
        return "MySQL";
    }

    @Override
    public String nameType() {
        return "VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin";
    }

    @Override
    public Optional<SqlFunctions> functions(SequenceTable table, Optional<String> schema) {
        return Optional.of(new MySqlFunctions(table, schema, nameType(), false, ""));
    }

    @Override
    public LockWait lockWait(Duration atMost) {
        return LockWait.byQueryTimeout(atMost);
    }

    /** On a MySQL server, MariaDB's driver ends statements that time out with KILL QUERY. */
    @Override
    public boolean lockHeld(SQLException e) {
        return e.getErrorCode() == QUERY_INTERRUPTED || MySqlFamily.super.lockHeld(e);
    }

    @Override
    public Optional<PoolClaim> poolClaim(String table) {
        return Optional.of(new LockThenDelete(table, false, ""));
    }
}
