// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.PlacedTable;
import dev.seriatim.jdbc.dialect.PoolSupport;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * TiDB, supported on the basis of its vendor's documentation alone: MySQL's protocol and statements over a store that
 * replicates each commit.
 */
public record TiDbDialect() implements MySqlFamily, PoolSupport {

    @Override
    public String product() {
        return "TiDB (not tested here)";
    }

    @Override
    public String nameType() {
        return "VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
    }

    @Override
    public String whyNoPool() {
        return "TiDB has no SKIP LOCKED";
    }

    @Override
    public List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        // A commit is acknowledged when a majority of replicas has written it to disk; no session setting changes that.
        return List.of();
    }
}
