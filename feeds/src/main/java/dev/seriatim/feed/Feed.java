// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.ColumnName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A feed over a table: every committed row of the table becomes one {@link Entry} with a position 1, 2, 3 …
 *
 * <ul>
 *   <li>Once a session has seen a position, no entry ever gets that one or a lower one.
 *   <li>Every committed row gets exactly one position, by the first passes that begin after its commit; a row that is rolled back
 *       gets none. Positions have no gaps.
 *   <li>If one transaction has committed before another one sends its commit (PostgreSQL, SQLite) or inserts its row (MariaDB,
 *       MySQL), its positions are lower.
 *   <li>On PostgreSQL and SQLite, also if the other transaction has waited for a row that it changed.
 * </ul>
 *
 * <p>Positions are given by passes, {@link #stamp}. Readers run one when they find nothing, and {@link
 * JdbcFeeds.Settings#stamping} runs them in the background.
 *
 * <p>Methods throw {@link dev.seriatim.SequenceException}: {@code Unavailable} if the database does not answer or another session
 * held a lock for the patience, {@code CommitOutcomeUnknown} if the answer to a commit was lost; a later
 * pass continues with what the database holds. Thread-safe.
 */
public final class Feed {

    private static final int LARGEST = 100_000;

    final FeedDatabase database;
    final FeedTables tables;
    final Passes passes;
    final ListenerCalls listening;
    private final @Nullable Stamper stamper;
    private final List<String> columns;

    Feed(Passes passes, @Nullable Stamper stamper, List<String> columns) {
        this.database = passes.database;
        this.tables = passes.feed;
        this.passes = passes;
        this.listening = passes.listening;
        this.stamper = stamper;
        this.columns = columns;
    }

    public String name() {
        return tables.name();
    }

    /** Returns the view of positions and rows, for SQL: {@code SELECT … WHERE position > ? ORDER BY position}. */
    public String view() {
        return tables.in(database.dialect, tables.view());
    }

    /** Returns the columns that identify a row. */
    public List<String> key() {
        return tables.key();
    }

    /**
     * Returns this feed with entries that carry columns of their rows.
     *
     * @throws Misconfigured if a name cannot be one of a column
     */
    public Feed select(String... names) {
        List.of(names).forEach(name -> ColumnName.of(tables.table(), name));
        return new Feed(passes, stamper, List.of(names));
    }

    /**
     * Runs one pass: gives positions to at most 5,000 committed rows.
     *
     * @return how many rows; 0 if there are none, or another session runs a pass
     */
    public int stamp() {
        return Math.max(0, passes.pass());
    }

    /**
     * Stamps until everything is stamped that was committed before this call, and returns the last position: what the caller has
     * committed stands at or below it. Waits for another session's pass, at most for the patience.
     */
    public long settle() {
        passes.settle();
        return last();
    }

    /** Returns the last position, without stamping; 0 if there is none. */
    public long last() {
        return database.read(tables, connection -> database.sql.last(connection, tables));
    }

    /**
     * Returns at most {@code limit} entries after a position, outside any reader; also on a standby.
     *
     * @throws Misconfigured if the limit is not from 1 to 100,000
     */
    public List<Entry> read(long after, int limit) {
        checkLimit(limit);
        return database.read(tables, connection -> read(connection, after, limit));
    }

    List<Entry> read(Connection connection, long after, int limit) throws SQLException {
        return database.sql.entries(connection, tables, columns, after, limit);
    }

    static void checkLimit(int limit) {
        if (limit < 1 || limit > LARGEST) {
            throw new Misconfigured("a batch has 1 to " + LARGEST + " entries, not " + limit);
        }
    }

    /**
     * Returns the reader of this name, which begins before the first position when it first runs.
     *
     * @throws Misconfigured if the name is empty or longer than 64 characters
     */
    public FeedReader reader(String name) {
        return new FeedReader(this, name);
    }

    /** Announces that rows were committed: the background stamper looks at once or, without one, readers that follow the feed. */
    public void nudge() {
        if (stamper == null) {
            passes.wake();
        } else {
            stamper.nudge(passes);
        }
    }

    /** Removes positions that every reader has passed, except the last position; none without readers. Returns how many. */
    public long trim() {
        return trim(Long.MAX_VALUE);
    }

    /**
     * Removes positions up to this one, except the last position and what a reader has not passed. Give a position that foreign
     * pollers have passed; without readers of this library, it alone decides.
     *
     * @return how many
     */
    public long trim(long upTo) {
        return trim(upTo, "trim");
    }

    /** @param sections statements that run up to the same position, in a transaction; the last removes the positions */
    long trim(long upTo, String... sections) {
        FeedState state = state();
        long lowest = state.readers().stream()
                .mapToLong(FeedState.Reader::position)
                .min()
                .orElse(upTo == Long.MAX_VALUE ? 0 : upTo);
        long end = Math.min(Math.min(lowest, upTo), state.last() - 1);
        long next = database.read(tables, connection -> database.sql.number(connection, "first", tables));
        long removed = 0;
        while (next > 0 && next <= end) {
            long through = Math.min(end, next + Passes.FULL - 1);
            removed += database.write(tables, connection -> {
                int rows = 0;
                for (String section : sections) {
                    String text = database.sql.statement(section, tables, Map.of("through", through));
                    rows = FeedSql.execute(connection, text);
                }
                return rows;
            });
            next = through + 1;
        }
        return removed;
    }

    /**
     * Creates a missing or disabled trigger and a broken view again, and enters the rows that the trigger missed.
     *
     * @return how many
     * @throws Misconfigured if the feed was trimmed, or began after its table, so that it cannot be known which rows had an entry
     */
    public int mend() {
        database.write(tables, connection -> {
            database.sql.arm(connection, tables);
            return true;
        });
        if (database.read(tables, connection -> database.sql.brokenView(connection, tables))
                .isPresent()) {
            database.create(tables.definition());
        }
        FeedCheck found = check();
        if (found.incomplete() && found.rowsWithoutEntry() > 0) {
            throw new Misconfigured("feed '" + name() + "' was " + (found.fromNow() ? "made from now on" : "trimmed")
                    + ", so rows that the trigger missed cannot be distinguished from older ones; insert their keys into "
                    + tables.in(database.dialect, tables.inbox()) + " yourself. The trigger is in place");
        }
        return database.writeLong(tables, connection -> {
            database.sql.begin(connection);
            return database.sql.lock(connection, tables, true)
                    ? FeedSql.execute(connection, database.sql.statement("mend", tables))
                    : 0;
        });
    }

    /** Compares the table with the feed. Reads both whole. */
    public FeedCheck check() {
        return database.readLong(tables, connection -> database.sql.check(connection, tables));
    }

    /** Returns the feed's state. */
    public FeedState state() {
        return database.read(
                tables,
                connection -> new FeedState(
                        tables.name(),
                        tables.schema().isEmpty() ? tables.table() : tables.schema() + "." + tables.table(),
                        tables.key(),
                        database.sql.last(connection, tables),
                        database.sql.number(connection, "waiting", tables),
                        FeedSql.rows(
                                connection,
                                database.sql.statement("places", tables),
                                row -> new FeedState.Reader(row.getString(1), row.getLong(2))),
                        database.sql.sessions(connection, "holders", tables)));
    }

    @Override
    public String toString() {
        return "feed " + tables.name();
    }
}
