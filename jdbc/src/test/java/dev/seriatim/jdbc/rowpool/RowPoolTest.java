// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.rowpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.jdbc.DriverProxy;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.h2.H2Dialect;
import dev.seriatim.jdbc.sql.BorrowedConnections;
import dev.seriatim.jdbc.sql.CounterDraw;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Lender;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.Pool.Claim;
import dev.seriatim.store.Pool.Extent;
import dev.seriatim.store.SequenceTable;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which numbers a claim returns, and what is laid out when. Single-threaded, on H2 in memory, which skips rows that
 * others have locked.
 */
@Timeout(60)
class RowPoolTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The clock is fixed here, so the first number's place is the next one. */
    private static final long BEFORE = 5_000_000;

    private final Database database =
            Engine.H2.freshDatabase().option("NON_KEYWORDS", "VALUE").option("LOCK_TIMEOUT", "100");
    private final List<Connection> open = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private final Map<String, Runnable> afterNext = new HashMap<>();
    private final PoolMarks marks = new PoolMarks();
    private final Dialect dialect = new H2Dialect();
    private final SequenceTable table = SequenceTable.own();
    private final SqlFailures failures = SqlFailures.inTable(dialect, table, "the database", PATIENCE);
    private JdbcStore store;

    @BeforeEach
    void create() {
        store = JdbcStore.open(database.dataSource());
        store.create(SequenceDefinition.of("s"));
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection connection : open) {
            connection.close();
        }
        store.close();
    }

    /** Claims as engines do: the unclaimed rows, one after another. */
    private record Claiming(boolean upwards, int rest, boolean blind, boolean keyed, List<String> asked)
            implements PoolClaim {

        Claiming(boolean upwards, int rest, boolean blind, List<String> asked) {
            this(upwards, rest, blind, false, asked);
        }

        @Override
        public List<Row> take(Connection connection, String name, Places places, int count) throws SQLException {
            asked.add("take");
            List<Row> taken = new ArrayList<>();
            for (Row row : committed(connection, name, places)) {
                if (taken.size() < count && removes(connection, name, row.place())) {
                    taken.add(row);
                }
            }
            return taken;
        }

        @Override
        public Optional<ByKey> byKey(Connection connection) {
            return keyed ? Optional.of(this::take) : Optional.empty();
        }

        private Optional<Row> take(Connection connection, String name, long place) throws SQLException {
            asked.add("key " + (place - BEFORE));
            for (Row row : committed(connection, name, new Places(place, place))) {
                if (removes(connection, name, place)) {
                    return Optional.of(row);
                }
            }
            return Optional.empty();
        }

        private static boolean removes(Connection connection, String name, long place) throws SQLException {
            if (!locks(connection, name, place)) {
                return false;
            }
            try (PreparedStatement delete =
                    connection.prepareStatement("DELETE FROM \"pool\" WHERE name = ? AND place = ?")) {
                delete.setString(1, name);
                delete.setLong(2, place);
                return delete.executeUpdate() == 1;
            }
        }

        private static List<Row> committed(Connection connection, String name, Places places) throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT place, value FROM \"pool\" WHERE name = ? AND place >= ?"
                            + " AND place <= ? ORDER BY place LIMIT ?")) {
                return PoolClaim.rows(statement, name, places, Integer.MAX_VALUE);
            }
        }

        private static boolean locks(Connection connection, String name, long place) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT place FROM \"pool\" WHERE name = ? AND place = ? FOR UPDATE SKIP LOCKED")) {
                statement.setString(1, name);
                statement.setLong(2, place);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next();
                }
            }
        }

        @Override
        public void seeCommitted(Connection connection) {
            asked.add("see committed");
        }

        @Override
        public boolean blind(Connection connection) {
            return blind;
        }

        @Override
        public Set<Long> held(Connection connection, String name, Places places) throws SQLException {
            asked.add("held " + (places.from() - BEFORE) + " to " + (places.to() - BEFORE));
            Set<Long> held = new HashSet<>();
            for (Row row : committed(connection, name, places)) {
                if (!locks(connection, name, row.place())) {
                    held.add(row.place());
                }
            }
            return held;
        }

        @Override
        public void boundWaiting(Connection connection) {
            asked.add("bound waiting");
        }

        @Override
        public String tableOptions() {
            asked.add("made");
            return "";
        }
    }

    private RowPool pool() {
        return pool(false, 0, false);
    }

    /** Returns a pool as on engines whose claims must go upwards, which all leave the last numbers unclaimed. */
    private RowPool upwards() {
        return pool(true, 1, false);
    }

    private RowPool pool(Duration patience) {
        return pool(new Claiming(false, 0, false, asked), transactions(patience));
    }

    private RowPool pool(boolean upwards, int rest, boolean blind) {
        return pool(new Claiming(upwards, rest, blind, asked), transactions(PATIENCE));
    }

    private Transactions transactions(Duration patience) {
        DataSource noting = DriverProxy.of(DataSource.class, (source, call, with) -> {
            Object result = call.invoke(database.dataSource(), with);
            return result instanceof Connection connection ? noting(connection) : result;
        });
        return new Transactions(
                new BorrowedConnections(new Lender(noting, new H2Dialect()::inTransaction), dialect, () -> {}),
                SqlFailures.inTable(dialect, table, "the database", patience));
    }

    private Connection noting(Connection connection) {
        return DriverProxy.of(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                sent.add(String.valueOf(arguments[0]));
            }
            Object result = method.invoke(connection, arguments);
            Runnable next = afterNext.remove(method.getName());
            if (next != null) {
                next.run();
            }
            return result;
        });
    }

    private RowPool pool(PoolClaim claim, Transactions transactions) {
        return pool(table, claim, transactions);
    }

    private RowPool pool(SequenceTable table, PoolClaim claim, Transactions transactions) {
        CounterRows rows = new CounterRows(new PlacedTable(dialect, table, Optional.empty()), table);
        return new RowPool(
                "s",
                new PoolTable(
                        new PlacedTable(looking(), SequenceTable.own("pool"), Optional.empty()),
                        claim,
                        rows.layout().holdsDefinition()),
                new CounterDraw(rows, failures.place(), false),
                transactions,
                marks,
                () -> Instant.ofEpochMilli(BEFORE / 1_000_000));
    }

    /** Returns the dialect, with look-ups as on engines that have pools. */
    private Dialect looking() {
        return (Dialect) Proxy.newProxyInstance(
                getClass().getClassLoader(), H2Dialect.class.getInterfaces(), (self, method, arguments) -> {
                    if (!method.getName().equals("find")) {
                        return method.invoke(dialect, arguments);
                    }
                    asked.add("table exists");
                    return new Dialect.Place(
                            Optional.of("PUBLIC"),
                            Sql.read(
                                            (Connection) arguments[0],
                                            "SELECT 1 FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'pool'")
                                    .isPresent());
                });
    }

    private Connection begin() throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        open.add(connection);
        return connection;
    }

    private void upTo(long max, boolean cycle) {
        store.alter(
                "s",
                definition -> definition.toBuilder().maxValue(max).cycle(cycle).build());
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private static Extent extent(long first, long last, @Nullable Block laidOut) {
        return new Extent(BEFORE + first, BEFORE + last, laidOut, false);
    }

    private static Extent ended(long first, long last) {
        return new Extent(BEFORE + first, BEFORE + last, null, true);
    }

    private static Claim claim(List<Long> numbers, long place) {
        return new Claim(numbers, BEFORE + place, false);
    }

    private long inPool(long place) throws SQLException {
        return database.number("SELECT value FROM \"pool\" WHERE name = 's' AND place = " + place);
    }

    private long inPool() throws SQLException {
        return database.number("SELECT COUNT(*) FROM \"pool\" WHERE name = 's' AND place > 0");
    }

    // What is laid out.

    @Test
    void before_anything_is_laid_out_a_claim_finds_nothing_and_asks_nobody() {
        Connection untouched = DriverProxy.of(Connection.class, (self, method, arguments) -> {
            throw new AssertionError(method.getName());
        });
        assertThat(pool().claim(untouched, 3)).isEqualTo(new Claim(List.of(), 0, false));
    }

    @Test
    void the_first_laying_out_makes_the_table_and_a_pool_whose_places_follow_the_clock() throws SQLException {
        RowPool pool = pool();
        assertThat(pool.layOut(4)).isEqualTo(extent(1, 4, new Block(1, 4, 1)));
        assertThat(inPool()).isEqualTo(4);
        assertThat(inPool(0)).as("the place that was given last").isEqualTo(BEFORE + 4);
        assertThat(inPool(-1)).as("the epoch").isEqualTo(store.describe("s").epoch());
        assertThat(asked).startsWith("table exists", "made");
        asked.clear();
        pool.layOut(2);
        assertThat(asked).containsExactly("see committed");
    }

    @Test
    void the_next_numbers_are_laid_out_behind_the_others() throws SQLException {
        RowPool pool = pool();
        pool.layOut(4);
        assertThat(pool.layOut(3)).isEqualTo(extent(1, 7, new Block(5, 3, 1)));
        assertThat(store.describe("s").nextValue()).isEqualTo(8);
        assertThat(pool.claim(begin(), 7)).isEqualTo(claim(numbers(1, 7), 7));
    }

    @Test
    void no_table_is_made_for_a_sequence_that_is_missing() throws SQLException {
        store.drop("s");
        assertThatThrownBy(() -> pool().layOut(1)).isInstanceOf(NotFound.class).hasMessageContaining("'s'");
        assertThat(database.number("SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'pool'"))
                .isZero();
    }

    @Test
    void a_table_that_is_there_is_not_made_again() {
        pool().layOut(1);
        store.drop("s");
        store.create(SequenceDefinition.named("s").startWith(50L).build());
        asked.clear();
        RowPool another = pool();
        assertThat(another.layOut(1).laidOut()).isEqualTo(new Block(50, 1, 1));
        assertThat(asked).startsWith("table exists").doesNotContain("made");
    }

    @Test
    void who_finds_that_others_have_laid_out_only_looks() throws SQLException {
        RowPool pool = pool();
        RowPool others = pool();
        pool.layOut(4);
        assertThat(others.layOut(9)).isEqualTo(extent(1, 4, null));
        assertThat(others.layOut(2)).isEqualTo(extent(1, 6, new Block(5, 2, 1)));
        assertThat(pool.layOut(9)).isEqualTo(extent(1, 6, null));
        assertThat(store.describe("s").nextValue()).isEqualTo(7);
    }

    @Test
    void who_finds_that_others_have_laid_out_and_used_up_lays_out_more() throws SQLException {
        RowPool pool = pool();
        RowPool others = pool();
        pool.layOut(4);
        Connection transaction = begin();
        pool.claim(transaction, 4);
        transaction.commit();
        assertThat(others.layOut(2)).isEqualTo(extent(5, 6, new Block(5, 2, 1)));
    }

    @Test
    void one_that_reports_late_takes_nothing_back_that_later_ones_have_shown() throws SQLException {
        RowPool pool = pool();
        pool.layOut(4);
        afterNext.put("commit", () -> {
            pool.layOut(3); // only looks
            pool.layOut(3);
        });
        assertThat(pool.layOut(2)).isEqualTo(extent(1, 9, new Block(5, 2, 1)));
        assertThat(afterNext).isEmpty();
        assertThat(pool.claim(begin(), 9)).isEqualTo(claim(numbers(1, 9), 9));
        assertThat(pool.layOut(1).laidOut()).isEqualTo(new Block(10, 1, 1));
    }

    @Test
    void one_that_reports_late_takes_nothing_back_that_is_known_of_a_pool_made_anew() throws SQLException {
        RowPool pool = pool();
        pool.layOut(4);
        afterNext.put("commit", () -> {
            store.drop("s");
            store.create(SequenceDefinition.named("s").startWith(50L).build());
            try {
                database.execute("DELETE FROM \"pool\"");
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            pool.layOut(3);
        });
        assertThat(pool.layOut(2)).isEqualTo(extent(1, 3, new Block(5, 2, 1)));
        assertThat(afterNext).isEmpty();
        assertThat(pool.claim(begin(), 3)).isEqualTo(claim(numbers(50, 52), 3));
        assertThat(pool.layOut(1).laidOut()).isEqualTo(new Block(53, 1, 1));
    }

    @Test
    void numbers_of_a_pool_made_anew_at_lower_places_are_found() throws SQLException {
        RowPool pool = pool();
        pool.layOut(4);
        pool.layOut(5000);
        Connection used = begin();
        assertThat(pool.claim(used, 4500).numbers()).hasSize(4500);
        used.commit();
        pool.layOut(1);
        store.drop("s");
        store.create(SequenceDefinition.named("s").startWith(50_000L).build());
        database.execute("DELETE FROM \"pool\"");
        database.execute("INSERT INTO \"pool\" (name, place, value) VALUES ('s', 0, 1000), ('s', -2, 0), ('s', -1, "
                + store.describe("s").epoch() + ")"); // as by a clock that is behind
        assertThat(pool().layOut(10).laidOut()).isEqualTo(new Block(50_000, 10, 1));
        assertThat(pool.layOut(1)).isEqualTo(new Extent(1001, 1010, null, false));
        assertThat(pool.claim(begin(), 3)).isEqualTo(new Claim(numbers(50_000, 50_002), 1003, false));
        assertThat(pool.claim(begin(), 7).numbers()).isEqualTo(numbers(50_003, 50_009));
    }

    @Test
    void one_that_reports_an_end_late_does_not_let_claims_take_what_rests_since() throws SQLException {
        upTo(4, false);
        RowPool pool = upwards();
        pool.layOut(4);
        afterNext.put("rollback", () -> {
            upTo(100, false);
            pool.layOut(4);
        });
        assertThat(pool.layOut(2)).isEqualTo(ended(1, 7));
        assertThat(afterNext).isEmpty();
        assertThat(pool.claim(begin(), 8)).isEqualTo(claim(numbers(1, 7), 7));
    }

    @Test
    void the_extent_begins_at_the_lowest_number_that_is_not_committed() throws SQLException {
        RowPool pool = pool();
        pool.layOut(4);
        Connection committed = begin();
        Connection held = begin();
        pool.claim(committed, 2);
        pool.claim(held, 1);
        committed.commit();
        assertThat(pool.layOut(1)).isEqualTo(extent(3, 5, new Block(5, 1, 1)));
    }

    @Test
    void the_last_numbers_rest_where_an_engine_needs_that_and_are_made_up_for_once() throws SQLException {
        RowPool pool = pool(false, 2, false);
        assertThat(pool.layOut(4)).isEqualTo(extent(1, 4, new Block(1, 6, 1)));
        Connection transaction = begin();
        assertThat(pool.claim(transaction, 6)).isEqualTo(claim(numbers(1, 4), 4));
        assertThat(pool.layOut(3)).isEqualTo(extent(1, 7, new Block(7, 3, 1)));
        assertThat(pool.claim(transaction, 6)).isEqualTo(claim(numbers(5, 7), 7));
    }

    @Test
    void a_pool_of_an_older_epoch_is_emptied_and_its_places_are_not_used_again() throws SQLException {
        RowPool pool = pool();
        pool.layOut(4);
        store.restart("s", 100);
        asked.clear();
        assertThat(pool.layOut(2)).isEqualTo(extent(5, 6, new Block(100, 2, 1)));
        assertThat(asked)
                .containsExactly("see committed", "see committed", "take", "see committed", "take", "see committed");
        assertThat(inPool()).isEqualTo(2);
        assertThat(inPool(-1)).isEqualTo(store.describe("s").epoch());
        asked.clear();
        pool.layOut(2);
        assertThat(asked).as("once").containsExactly("see committed");
        assertThat(inPool()).isEqualTo(4);
    }

    @Test
    void a_pool_of_an_older_epoch_is_emptied_before_anything_else_is_laid_out() throws SQLException {
        RowPool stale = pool();
        stale.layOut(1200);
        Connection holder = begin();
        stale.claim(holder, 2);
        store.restart("s", 100);
        RowPool others = pool(Duration.ofMillis(300));
        assertThatThrownBy(() -> others.layOut(1)).isInstanceOf(Overloaded.class);
        assertThat(store.describe("s").nextValue()).as("while numbers are held").isEqualTo(100);
        holder.rollback();
        assertThat(others.layOut(1)).isEqualTo(extent(1201, 1201, new Block(100, 1, 1)));
        assertThat(stale.claim(begin(), 3).numbers()).isEmpty();
        upTo(101, false);
        Connection last = begin();
        assertThat(others.claim(last, 1).numbers()).containsExactly(100L);
        others.layOut(1);
        assertThat(others.claim(last, 4).numbers()).containsExactly(101L);
        last.commit();
        assertThatThrownBy(() -> stale.layOut(1)).isInstanceOf(Exhausted.class);
    }

    @Test
    void a_number_that_is_held_at_the_end_is_not_overlooked_where_the_last_numbers_rest() throws SQLException {
        upTo(3, false);
        RowPool ended = pool(false, 2, false);
        ended.layOut(4);
        Connection holder = begin();
        assertThat(ended.claim(holder, 3).numbers()).containsExactly(1L, 2L, 3L);
        store.restart("s", 1);
        RowPool others = pool(new Claiming(false, 2, false, asked), transactions(Duration.ofMillis(300)));
        assertThatThrownBy(() -> others.layOut(1)).isInstanceOf(Overloaded.class);
        holder.rollback();
        assertThat(others.layOut(1).laidOut()).isEqualTo(new Block(1, 3, 1));
        assertThat(ended.claim(begin(), 3).numbers()).isEmpty();
    }

    @Test
    void rows_that_never_are_numbers_close_off_an_emptied_pool_where_the_last_numbers_rest() throws SQLException {
        RowPool stale = pool(false, 2, false);
        RowPool others = pool(false, 2, false);
        stale.layOut(4);
        store.restart("s", 100);
        assertThat(others.layOut(3)).isEqualTo(extent(9, 11, new Block(100, 5, 1)));
        assertThat(inPool(BEFORE + 7)).as("closes off").isZero();
        assertThat(inPool(BEFORE + 9)).isEqualTo(100);
        assertThat(stale.claim(begin(), 1).numbers()).isEmpty();
        assertThat(stale.layOut(1)).isEqualTo(extent(9, 11, null));
        Connection transaction = begin();
        assertThat(stale.claim(transaction, 9).numbers()).containsExactly(100L, 101L, 102L);
        transaction.rollback();
        store.restart("s", 500);
        assertThat(others.layOut(3)).isEqualTo(extent(16, 18, new Block(500, 5, 1)));
        assertThat(others.claim(begin(), 9).numbers()).containsExactly(500L, 501L, 502L);
    }

    @Test
    void a_cycles_new_round_leaves_what_is_laid_out() throws SQLException {
        upTo(3, true);
        RowPool pool = pool();
        pool.layOut(3);
        assertThat(pool.layOut(3)).isEqualTo(extent(1, 6, new Block(1, 3, 1)));
        assertThat(inPool(-1)).isEqualTo(store.describe("s").epoch());
        assertThat(pool.layOut(2)).isEqualTo(extent(1, 8, new Block(1, 2, 1)));
        assertThat(pool.claim(begin(), 8).numbers()).containsExactly(1L, 2L, 3L, 1L, 2L, 3L, 1L, 2L);
    }

    @Test
    void more_numbers_than_fit_one_statement_are_laid_out_all_the_same() throws SQLException {
        RowPool pool = pool();
        assertThat(pool.layOut(1001)).isEqualTo(extent(1, 1001, new Block(1, 1001, 1)));
        assertThat(inPool()).isEqualTo(1001);
        assertThat(inPool(BEFORE + 1001)).isEqualTo(1001);
    }

    // Where a row holds only the counter.

    private RowPool plain(int increment, int rest, Duration patience) throws SQLException {
        database.execute("CREATE TABLE IF NOT EXISTS counters (counter VARCHAR(9) PRIMARY KEY, next BIGINT NOT NULL)");
        SequenceTable plain = SequenceTable.nextValue("COUNTERS", "COUNTER", "NEXT")
                .with(d -> d.incrementBy(increment).minValue(-1000L).maxValue(9000L));
        return pool(plain, new Claiming(false, rest, false, asked), transactions(patience));
    }

    private RowPool plain(int rest) throws SQLException {
        return plain(1, rest, PATIENCE);
    }

    private void next(long next) throws SQLException {
        database.execute("MERGE INTO counters KEY (counter) VALUES ('s', " + next + ")");
    }

    @Test
    void a_pool_whose_counter_was_set_back_is_emptied() throws SQLException {
        RowPool pool = plain(0);
        next(1);
        pool.layOut(4);
        next(4);
        asked.clear();
        assertThat(pool.layOut(2)).isEqualTo(extent(5, 6, new Block(4, 2, 1)));
        assertThat(asked)
                .containsExactly("see committed", "see committed", "take", "see committed", "take", "see committed");
        assertThat(inPool()).isEqualTo(2);
        assertThat(inPool(-1)).as("the epoch").isZero();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // otherwise it would be emptied repeatedly
    void the_rows_that_close_it_off_are_not_taken_for_numbers() throws SQLException {
        RowPool pool = plain(2);
        next(1);
        pool.layOut(4);
        next(1);
        assertThat(pool.layOut(4)).isEqualTo(extent(9, 12, new Block(1, 6, 1)));
        assertThat(pool.claim(begin(), 9).numbers()).isEqualTo(numbers(1, 4));
    }

    @Test
    void one_whose_counter_has_come_no_further_than_its_last_number_stays() throws SQLException {
        RowPool pool = plain(0);
        next(1);
        pool.layOut(4);
        next(5);
        assertThat(pool.layOut(2)).isEqualTo(extent(1, 6, new Block(5, 2, 1)));
        next(100);
        assertThat(pool.layOut(1)).isEqualTo(extent(1, 7, new Block(100, 1, 1)));
        assertThat(pool.claim(begin(), 9).numbers()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 100L);
    }

    @Test
    void a_pool_whose_counter_goes_down_and_was_set_back_is_emptied() throws SQLException {
        RowPool pool = plain(-10, 0, PATIENCE);
        next(100);
        pool.layOut(4);
        assertThat(pool.layOut(1)).isEqualTo(extent(1, 5, new Block(60, 1, -10)));
        next(60);
        assertThat(pool.layOut(2)).isEqualTo(extent(6, 7, new Block(60, 2, -10)));
        assertThat(pool.claim(begin(), 9).numbers()).containsExactly(60L, 50L);
    }

    @Test
    void its_last_numbers_stay_although_the_counter_has_come_to_its_end() throws SQLException {
        RowPool pool = plain(0);
        next(8998);
        pool.layOut(4);
        assertThat(pool.layOut(1)).isEqualTo(ended(1, 3));
        assertThat(pool.claim(begin(), 9).numbers()).containsExactly(8998L, 8999L, 9000L);
    }

    @Test
    void it_is_emptied_also_by_one_who_comes_after_a_crash_when_the_counter_has_passed_it_by() throws SQLException {
        RowPool stale = plain(2);
        next(1);
        stale.layOut(4);
        Connection holder = begin();
        assertThat(stale.claim(holder, 2).numbers()).containsExactly(1L, 2L);
        next(2);
        assertThatThrownBy(() -> plain(1, 2, Duration.ofMillis(300)).layOut(1)).isInstanceOf(Overloaded.class);
        assertThat(inPool(BEFORE + 7)).as("closes off").isZero();
        next(50);
        holder.rollback();
        assertThat(plain(2).layOut(1)).isEqualTo(extent(9, 9, new Block(50, 3, 1)));
        assertThat(stale.claim(begin(), 3).numbers()).isEmpty();
    }

    @Test
    void numbers_held_far_below_all_others_are_seen_too() throws SQLException {
        RowPool pool = plain(0);
        next(1);
        pool.layOut(4200);
        Connection holder = begin();
        pool.claim(holder, 2);
        Connection transaction = begin();
        pool.claim(transaction, 4197);
        transaction.commit();
        assertThat(pool.layOut(1)).as("claims begin behind them").isEqualTo(extent(4200, 4201, new Block(4201, 1, 1)));
        pool.claim(transaction, 2);
        transaction.commit();
        next(2);
        holder.rollback();
        assertThat(pool.layOut(1).laidOut()).isEqualTo(new Block(2, 1, 1));
        assertThat(inPool()).isEqualTo(1);
    }

    @Test
    void a_refill_asks_once_more_than_one_of_a_table_with_epochs() throws SQLException {
        RowPool pool = plain(0);
        next(1);
        pool.layOut(4);
        pool.layOut(4);
        sent.clear();
        pool.layOut(4);
        List<String> plain = List.copyOf(sent);
        database.execute("DELETE FROM \"pool\"");
        RowPool own = pool();
        own.layOut(4);
        own.layOut(4);
        sent.clear();
        own.layOut(4);
        assertThat(plain).hasSize(sent.size() + 1);
        assertThat(plain).filteredOn(sql -> sql.contains("DESC LIMIT")).hasSize(1);
    }

    // The end of a sequence.

    @Test
    void at_the_end_fewer_are_laid_out_and_none_rests() throws SQLException {
        upTo(5, false);
        RowPool pool = pool(false, 2, false);
        assertThat(pool.layOut(4)).isEqualTo(extent(1, 5, new Block(1, 5, 1)));
        assertThat(pool.claim(begin(), 5)).isEqualTo(claim(numbers(1, 5), 5));
    }

    @Test
    void what_is_left_at_the_end_rests_no_more_although_nothing_can_be_laid_out() throws SQLException {
        upTo(6, false);
        RowPool pool = pool(false, 2, false);
        assertThat(pool.layOut(4)).isEqualTo(extent(1, 4, new Block(1, 6, 1)));
        assertThat(pool.layOut(1)).isEqualTo(ended(1, 6));
        assertThat(pool.claim(begin(), 6)).isEqualTo(claim(numbers(1, 6), 6));
    }

    @Test
    void what_is_left_rests_no_more_once_a_caller_has_seen_the_end() throws SQLException {
        upTo(6, false);
        RowPool pool = pool(false, 2, false);
        pool.layOut(4);
        Connection transaction = begin();
        assertThat(pool.claim(transaction, 6)).isEqualTo(claim(numbers(1, 4), 4));
        pool.sawEnd();
        assertThat(pool.claim(transaction, 6)).isEqualTo(claim(numbers(5, 6), 6));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_sequence_is_exhausted_when_its_last_numbers_are_committed_and_not_before(boolean known) throws SQLException {
        upTo(3, false);
        RowPool pool = pool();
        pool.layOut(3);
        Connection transaction = begin();
        pool.claim(transaction, 3);
        RowPool asking = known ? pool : pool();
        assertThat(asking.layOut(1)).as("they may come back").isEqualTo(known ? ended(1, 3) : extent(1, 3, null));
        assertThat(asking.layOut(1)).isEqualTo(ended(1, 3));
        transaction.commit();
        asked.clear();
        assertThatThrownBy(() -> asking.layOut(1)).isInstanceOf(Exhausted.class);
        assertThat(asked).containsExactly("see committed", "see committed", "see committed");
    }

    @Test
    void who_has_never_seen_a_number_hears_that_the_sequence_is_exhausted() {
        upTo(3, false);
        store.reserve("s", 3);
        assertThatThrownBy(() -> pool().layOut(1)).isInstanceOf(Exhausted.class);
    }

    @Test
    void numbers_that_come_back_at_the_end_are_claimed() throws SQLException {
        upTo(3, false);
        RowPool pool = pool(true, 2, false);
        pool.layOut(3);
        Connection one = begin();
        Connection two = begin();
        pool.claim(one, 1);
        pool.claim(two, 1);
        one.rollback();
        assertThat(pool.claim(two, 2).numbers())
                .as("those below, too, as there will be no others")
                .containsExactly(1L, 3L);
    }

    // What claims return.

    @Test
    void a_claim_takes_the_lowest_numbers_that_nobody_holds() throws SQLException {
        RowPool pool = pool();
        pool.layOut(8);
        Connection one = begin();
        Connection two = begin();
        assertThat(pool.claim(one, 2)).isEqualTo(claim(numbers(1, 2), 2));
        assertThat(pool.claim(two, 2, PATIENCE)).isEqualTo(claim(numbers(3, 4), 4));
        one.rollback();
        two.commit();
        assertThat(pool.claim(one, 3)).isEqualTo(claim(List.of(1L, 2L, 5L), 5));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_claim_that_comes_back_short_says_up_to_where_there_are_no_more(boolean upwards) throws SQLException {
        RowPool pool = upwards ? upwards() : pool();
        pool.layOut(5);
        pool.claim(begin(), 2);
        Connection transaction = begin();
        assertThat(pool.claim(transaction, 4)).isEqualTo(claim(numbers(3, 5), 5));
        assertThat(pool.claim(transaction, 1)).isEqualTo(claim(List.of(), 5));
    }

    @Test
    void a_claim_that_comes_back_short_says_whether_its_transaction_sees_what_is_laid_out_since() throws SQLException {
        RowPool pool = pool(false, 0, true);
        pool.layOut(2);
        Connection transaction = begin();
        assertThat(pool.claim(transaction, 1).blind()).isFalse();
        assertThat(pool.claim(transaction, 2).blind()).isTrue();
    }

    @Test
    void a_claim_asks_once_whether_or_not_there_is_enough() throws SQLException {
        RowPool pool = pool();
        pool.layOut(1);
        asked.clear();
        Connection transaction = begin();
        assertThat(pool.claim(transaction, 1)).isEqualTo(claim(List.of(1L), 1));
        assertThat(asked).containsExactly("take");
        asked.clear();
        assertThat(pool.claim(transaction, 1)).isEqualTo(claim(List.of(), 1));
        assertThat(asked).containsExactly("take");
    }

    @Test
    void a_claim_touches_nothing_where_all_that_is_left_rests() throws SQLException {
        RowPool pool = pool(false, 2, false);
        pool.layOut(4);
        Connection transaction = begin();
        pool.claim(transaction, 4);
        transaction.commit();
        RowPool others = pool(false, 2, false);
        assertThat(others.layOut(1)).isEqualTo(extent(5, 4, null));
        asked.clear();
        assertThat(others.claim(transaction, 1)).isEqualTo(claim(List.of(), 4));
        assertThat(asked).isEmpty();
    }

    @Test
    void the_same_transaction_gets_what_others_put_back() throws SQLException {
        RowPool pool = pool();
        pool.layOut(5);
        Connection one = begin();
        Connection two = begin();
        pool.claim(one, 1);
        pool.claim(two, 1);
        one.rollback();
        assertThat(pool.claim(two, 2)).isEqualTo(claim(List.of(1L, 3L), 3));
    }

    // Where a transaction's claims must go upwards.

    @Test
    void a_transaction_that_has_claimed_looks_no_lower_where_it_must_go_upwards() throws SQLException {
        RowPool pool = upwards();
        pool.layOut(6);
        Connection one = begin();
        Connection two = begin();
        pool.claim(one, 2);
        pool.claim(two, 1);
        one.rollback();
        assertThat(pool.claim(two, 2)).isEqualTo(claim(numbers(4, 5), 5));
        assertThat(pool.claim(two, 4)).isEqualTo(claim(List.of(6L), 6));
        assertThat(pool.claim(begin(), 4)).isEqualTo(claim(numbers(1, 2), 6));
    }

    @Test
    void a_connection_whose_transaction_has_ended_looks_lower_after_the_next_laying_out() throws SQLException {
        RowPool pool = upwards();
        pool.layOut(6);
        Connection one = begin();
        Connection two = begin();
        pool.claim(one, 1);
        pool.claim(two, 1);
        one.rollback();
        two.commit();
        assertThat(pool.claim(two, 1).numbers()).containsExactly(3L);
        two.commit();
        asked.clear();
        pool.layOut(1);
        assertThat(asked).containsExactly("held 3 to 3", "see committed");
        assertThat(pool.claim(two, 1).numbers()).containsExactly(1L);
        asked.clear();
        pool.layOut(1);
        assertThat(asked).as("no mark is left").containsExactly("see committed");
    }

    @Test
    void one_whose_transaction_is_open_still_goes_upwards_then() throws SQLException {
        RowPool pool = upwards();
        pool.layOut(6);
        Connection one = begin();
        Connection two = begin();
        pool.claim(one, 1);
        pool.claim(two, 1);
        one.rollback();
        pool.claim(two, 1);
        pool.layOut(1);
        assertThat(pool.claim(two, 1).numbers()).containsExactly(4L);
    }

    @Test
    void a_transaction_that_has_found_nothing_so_far_is_asked_for_at_no_place() throws SQLException {
        RowPool pool = upwards();
        pool.layOut(2);
        Connection holder = begin();
        Connection dry = begin();
        pool.claim(holder, 2);
        assertThat(pool.claim(dry, 1).numbers()).isEmpty();
        assertThat(pool.claim(dry, 1).numbers()).isEmpty();
        holder.rollback();
        asked.clear();
        pool.layOut(1);
        assertThat(asked).containsExactly("held " + (1 - BEFORE) + " to " + -BEFORE, "see committed");
        assertThat(pool.claim(dry, 1).numbers()).as("it holds nothing").containsExactly(1L);
    }

    @Test
    void a_handle_that_has_not_looked_yet_leaves_the_marks_of_others() throws SQLException {
        RowPool pool = upwards();
        pool.layOut(6);
        Connection one = begin();
        pool.claim(one, 1);
        pool.claim(one, 1);
        asked.clear();
        upwards().layOut(1);
        assertThat(asked).containsExactly("table exists", "see committed");
    }

    @Test
    void claims_that_need_not_go_upwards_leave_no_marks() throws SQLException {
        RowPool pool = pool();
        pool.layOut(6);
        Connection one = begin();
        pool.claim(one, 1);
        pool.claim(one, 1);
        assertThat(marks.of(one, "s")).isEmpty();
    }

    // Where a claim can take a number by its key.

    /** Returns a pool that holds the numbers from 2 on, after the first claims of a process, which all search. */
    private RowPool keyed(boolean upwards) throws SQLException {
        RowPool pool = pool(new Claiming(upwards, 0, false, true, asked), transactions(PATIENCE));
        pool.layOut(1);
        Connection first = begin();
        for (int i = 0; i < PoolTargets.FIRST; i++) {
            pool.claim(first, 1);
        }
        first.commit();
        pool.layOut(100);
        asked.clear();
        return pool;
    }

    /** Claims a number on each of two connections, on the second while the first is searching. */
    private List<Long> besideEachOther(RowPool pool, Connection searching, Connection other) {
        List<Long> numbers = new ArrayList<>();
        afterNext.put(
                "prepareStatement", () -> numbers.addAll(pool.claim(other, 1).numbers()));
        numbers.addAll(pool.claim(noting(searching), 1).numbers());
        asked.clear();
        return numbers;
    }

    /** Has other processes claim the lowest numbers that are free. */
    private Connection heldByOthers(int count) throws SQLException {
        RowPool others = pool();
        others.layOut(1); // only looks
        Connection holder = begin();
        assertThat(others.claim(holder, count).numbers()).hasSize(count);
        asked.clear();
        return holder;
    }

    private void breaks(RowPool pool, int count) throws SQLException {
        afterNext.put("prepareStatement", () -> {
            throw new IllegalStateException("broken");
        });
        Connection broken = noting(begin());
        assertThatThrownBy(() -> pool.claim(broken, count)).hasMessage("broken");
    }

    @Test
    void claims_beside_each_other_take_a_number_each_without_a_search() throws SQLException {
        RowPool pool = keyed(false);
        assertThat(besideEachOther(pool, begin(), begin())).containsExactly(2L, 3L);
        assertThat(pool.claim(begin(), 1)).isEqualTo(claim(List.of(4L), 4));
        assertThat(asked).containsExactly("key 4");
    }

    @ParameterizedTest
    @CsvSource({"1, 'key 4, key 5'", "2, 'key 4, key 5, take'"})
    void one_that_asks_twice_for_what_others_hold_searches(int held, String expected) throws SQLException {
        RowPool pool = keyed(false);
        besideEachOther(pool, begin(), begin());
        heldByOthers(held);
        assertThat(pool.claim(begin(), 1)).isEqualTo(claim(List.of(4L + held), 4 + held));
        assertThat(String.join(", ", asked)).isEqualTo(expected);
    }

    @Test
    void one_for_several_numbers_searches_and_no_other_asks_for_those_or_for_what_it_has_passed() throws SQLException {
        RowPool pool = keyed(false);
        besideEachOther(pool, begin(), begin());
        heldByOthers(2);
        assertThat(pool.claim(begin(), 2).numbers()).containsExactly(6L, 7L);
        assertThat(pool.claim(begin(), 1).numbers()).containsExactly(8L);
        assertThat(asked).containsExactly("take", "key 8");
    }

    @Test
    void claims_that_are_alone_for_a_while_search_again() throws SQLException {
        RowPool pool = keyed(false);
        besideEachOther(pool, begin(), begin());
        Connection alone = begin();
        for (int i = 1; i < PoolTargets.ALONE; i++) {
            pool.claim(alone, 1);
        }
        assertThat(asked).hasSize(PoolTargets.ALONE - 1).doesNotContain("take");
        asked.clear();
        pool.claim(alone, 1);
        assertThat(asked).containsExactly("take");
    }

    @Test
    void one_of_many_beside_each_other_searches() throws SQLException {
        RowPool pool = keyed(false);
        Connection many = begin();
        afterNext.put("prepareStatement", () -> {
            for (int i = 0; i < PoolTargets.CLAIMS_PER_SEARCH + 2; i++) {
                pool.claim(many, 1);
            }
        });
        assertThat(pool.claim(noting(begin()), 1).numbers()).containsExactly(68L);
        assertThat(asked).filteredOn(what -> what.equals("take")).hasSize(2);
        assertThat(asked).startsWith("take", "key 2").endsWith("key 65", "take", "key 67");
    }

    @Test
    void a_search_that_finds_numbers_put_back_is_followed_by_another() throws SQLException {
        RowPool pool = keyed(false);
        besideEachOther(pool, begin(), begin());
        Connection holder = heldByOthers(2);
        assertThat(pool.claim(begin(), 1).numbers()).containsExactly(6L);
        holder.rollback();
        assertThat(pool.claim(begin(), 1).numbers()).containsExactly(7L);
        asked.clear();
        assertThat(pool.claim(begin(), 2).numbers()).containsExactly(4L, 5L);
        assertThat(pool.claim(begin(), 1).numbers()).containsExactly(8L);
        assertThat(pool.claim(begin(), 1).numbers()).containsExactly(9L);
        assertThat(asked).containsExactly("take", "take", "key 9");
    }

    @Test
    void one_that_fails_hides_no_number_and_is_not_counted_any_more() throws SQLException {
        RowPool pool = keyed(false);
        besideEachOther(pool, begin(), begin());
        breaks(pool, 1);
        breaks(pool, 2);
        assertThat(asked).containsExactly("key 4", "take");
        assertThat(pool.claim(begin(), 1).numbers()).containsExactly(5L);
        asked.clear();
        assertThat(pool.claim(begin(), 2).numbers()).containsExactly(4L, 6L);
        assertThat(pool.claim(begin(), 1).numbers()).containsExactly(7L);
        assertThat(asked).containsExactly("take", "take");
        asked.clear();
        Connection alone = begin();
        for (int i = 0; i < PoolTargets.ALONE; i++) {
            pool.claim(alone, 1);
        }
        assertThat(asked).startsWith("key 8").endsWith("take");
    }

    @Test
    void one_by_key_counts_where_a_transaction_must_go_upwards() throws SQLException {
        RowPool pool = keyed(true);
        Connection two = begin();
        besideEachOther(pool, begin(), two);
        Connection three = begin();
        assertThat(pool.claim(three, 1).numbers()).containsExactly(4L);
        two.rollback();
        assertThat(pool.claim(three, 98).numbers()).as("2 is free").isEqualTo(numbers(5, 101));
        assertThat(asked).containsExactly("key 4", "take");
    }

    @Test
    void what_a_search_upwards_has_not_passed_is_still_asked_for() throws SQLException {
        RowPool pool = keyed(true);
        besideEachOther(pool, begin(), begin());
        Connection holder = heldByOthers(2);
        RowPool others = upwards();
        others.layOut(1); // only looks
        Connection above = begin();
        assertThat(others.claim(above, 1).numbers()).containsExactly(6L);
        holder.rollback();
        asked.clear();
        assertThat(pool.claim(above, 2).numbers()).containsExactly(7L, 8L);
        assertThat(pool.claim(begin(), 1).numbers()).containsExactly(4L);
        assertThat(asked).containsExactly("take", "key 4");
    }

    // A number held for a long time.

    @Test
    void numbers_that_are_held_while_thousands_are_claimed_are_found_when_there_are_too_few_above_them()
            throws SQLException {
        RowPool pool = pool();
        pool.layOut(4200);
        Connection holder = begin();
        assertThat(pool.claim(holder, 2).numbers()).containsExactly(1L, 2L);
        Connection transaction = begin();
        assertThat(pool.claim(transaction, 4197).numbers()).hasSize(4197);
        transaction.commit();
        assertThat(pool.layOut(2)).as("claims begin behind them").isEqualTo(extent(4200, 4202, new Block(4201, 2, 1)));
        assertThat(pool.claim(transaction, 1).numbers()).containsExactly(4200L);
        holder.rollback();
        assertThat(pool.layOut(1).last()).isEqualTo(BEFORE + 4203);
        asked.clear();
        List<Long> claimed = new ArrayList<>(pool.claim(transaction, 1).numbers()); // the lowest one once a second
        assertThat(asked).containsExactly("take");
        List<Long> more = pool.claim(transaction, 3).numbers();
        assertThat(more).hasSize(3).isSorted();
        claimed.addAll(more);
        claimed.addAll(pool.claim(transaction, 2).numbers());
        assertThat(claimed).containsExactlyInAnyOrder(1L, 2L, 4201L, 4202L, 4203L);
        transaction.commit();
        assertThat(pool.layOut(1)).isEqualTo(extent(4204, 4204, new Block(4204, 1, 1)));
    }
}
