// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.NativeDraw;
import dev.seriatim.jdbc.sql.NativeEngine;
import dev.seriatim.jdbc.sql.NativeEngine.Change.Kind;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Seal;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Aurora DSQL: PostgreSQL's protocol over optimistic concurrency. Nothing waits for a lock. Of the transactions that
 * changed the same row, all but one fail at commit (40001, OC000), as do those that conflict with a schema change
 * (OC001). Tested on a PostgreSQL that fails at commit in the same way.
 */
public record DsqlDialect() implements PostgresFamily, NativeEngine.Support {

    /** The words of an error (54000), and the limit that it is about. */
    private static final Map<String, String> LIMITS = Map.of(
            "5000 sequences", "5,000 sequences",
            "1000 tables", "1,000 tables",
            "transaction row limit", "3,000 changed rows",
            "transaction size limit", "10 MiB changed",
            "transaction age limit", "5 minutes");

    @Override
    public String product() {
        return "Aurora DSQL (tested on a PostgreSQL that imitates it)";
    }

    @Override
    public String nameType() {
        // C is the only collation.
        return "VARCHAR(64)";
    }

    @Override
    public Optional<CounterAdvance> advanceAlone() {
        return Optional.of(advance());
    }

    @Override
    public Optional<String> onStandby() {
        return Optional.of("0");
    }

    @Override
    public boolean hasSavepoints() {
        return false;
    }

    @Override
    public Seal seal(Connection transaction) throws SQLException {
        // Each transaction has its own start time.
        return Seal.name(transaction, "SELECT CURRENT_TIMESTAMP");
    }

    @Override
    public String whyNoPool() {
        return "it locks nothing, so concurrent transactions would claim the same numbers and fail at commit";
    }

    @Override
    public Fault fault(SQLException e) {
        // It also limits the connections opened per second.
        return limit(e).isPresent()
                ? Fault.LIMIT
                : "53400".equals(e.getSQLState()) ? Fault.NO_TURN : PostgresFamily.super.fault(e);
    }

    @Override
    public Optional<String> remedy(String database, String why, SQLException e) {
        return limit(e).map(limit -> database + " accepts at most " + LIMITS.get(limit)
                        + (limit.startsWith("transaction")
                                        ? " per transaction (%s); commit earlier"
                                        : " (%s); drop some")
                                .formatted(why))
                .or(() -> PostgresFamily.super.remedy(database, why, e));
    }

    private static Optional<String> limit(SQLException e) {
        String message = String.valueOf(e.getMessage()).replaceFirst("(?s)\n.*", "");
        return "54000".equals(e.getSQLState())
                ? LIMITS.keySet().stream().filter(message::contains).findFirst()
                : Optional.empty();
    }

    @Override
    public List<String> preflight(Connection connection, PlacedTable table) throws SQLException {
        // A commit is acknowledged when journals in several zones hold it; there is nothing to set.
        return List.of();
    }

    /** {@inheritDoc} Takes what it finds, whoever owns it: the stand-in of the tests has views for tables. */
    @Override
    public Place find(Connection connection, String table, Optional<String> owner, Optional<String> schema)
            throws SQLException {
        return PostgresTables.find(connection, table, schema);
    }

    @Override
    public NativeEngine nativeSequences(Connection connection) {
        return new Sequences();
    }

    /**
     * Native Aurora DSQL sequences. With a cache of 1, the cluster coordinates every value. A larger cache is at least
     * 65536, and then each of the cluster's processors deals from its own range: values are unique but unordered, even in
     * one session. There are no locks, so a change takes one statement.
     */
    private static final class Sequences extends PostgresSequences {

        private static final long LEAST_CACHE = 65536;

        @Override
        public String caveat() {
            return "as the vendor documents; unordered with a cache of 65536 or more";
        }

        @Override
        public long defaultCache() {
            return LEAST_CACHE;
        }

        @Override
        public SequenceDefinition held(SequenceDefinition wanted) {
            if (wanted.cache() != 1 && wanted.cache() < LEAST_CACHE) {
                throw new Misconfigured(wanted.name(), """
                        Aurora DSQL accepts a cache of 1 (dense, slow for many callers) or of at least %s (fast, with \
                        gaps and out of order), not %s; choose one of the two""".formatted(LEAST_CACHE, wanted.cache()));
            }
            return wanted;
        }

        @Override
        public boolean goesBack(SequenceDefinition definition) {
            return definition.cycle() || definition.cache() > 1;
        }

        @Override
        public NativeDraw.Drawn draw(Connection connection, String name, long count, boolean first)
                throws SQLException {
            return draw(connection, name, count, "");
        }

        @Override
        public void change(Transactions transactions, String name, NativeEngine.Change change) {
            if (change.kind() == Kind.RAISE) {
                throw new Misconfigured(
                        name,
                        "Aurora DSQL cannot raise a sequence while other sessions may draw; stop them and use restart");
            }
            SequenceState after =
                    change.after().apply(transactions.reading(name, connection -> state(connection, name)));
            String what =
                    change.kind() == Kind.RESTART ? " RESTART WITH " + after.nextValue() : clauses(after.definition());
            transactions.alone(name, connection -> {
                run(
                        connection,
                        name,
                        "ALTER SEQUENCE " + found(connection, name).relation() + what);
                return name;
            });
        }
    }
}
