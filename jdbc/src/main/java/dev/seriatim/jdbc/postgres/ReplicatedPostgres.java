// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.dialect.AdvanceReturning;
import dev.seriatim.jdbc.dialect.CounterAdvance;
import dev.seriatim.jdbc.dialect.PlacedTable;
import dev.seriatim.jdbc.dialect.PoolSupport;
import dev.seriatim.jdbc.dialect.SavepointSupport;
import dev.seriatim.jdbc.dialect.SqlExpressions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * CockroachDB and YugabyteDB, supported on the basis of their vendors' documentation alone: PostgreSQL's protocol and
 * statements over a store that replicates each commit.
 *
 * @param product the engine
 * @param nameType the type of a name
 */
public record ReplicatedPostgres(String product, String nameType)
        implements PostgresFamily, PoolSupport, SavepointSupport, SqlExpressions {

    @Override
    public String operator(String symbol) {
        return PostgresFamily.operator(symbol);
    }

    @Override
    public String function(String name) {
        return PostgresFamily.function(name);
    }

    @Override
    public CounterAdvance advance() {
        return new AdvanceReturning("RETURNING", operator("+"));
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        return Optional.of(advance());
    }

    @Override
    public String whyNoPool() {
        return "it is not tested there that concurrent claims take different numbers";
    }

    @Override
    public List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        // A commit is acknowledged when a majority of replicas has written it to disk; no session setting changes that.
        return List.of();
    }
}
