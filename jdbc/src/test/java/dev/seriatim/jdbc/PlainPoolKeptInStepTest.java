// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Block;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner.Visitor;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.Pool;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Like {@link PoolKeptInStepTest}, for rows that hold only the counter, so that it alone shows that it was set back.
 */
@ParameterizedClass
@MethodSource("tables")
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
@Tag("long")
class PlainPoolKeptInStepTest {

    private static final int LAID_OUT = 100;

    /** What the counter means and in which direction it moves. */
    enum Shape {
        LAST_UP {
            @Override
            SequenceTable table() {
                return SequenceTable.lastValue("counters", "counter", "value");
            }
        },
        NEXT_DOWN {
            @Override
            SequenceTable table() {
                return SequenceTable.nextValue("counters", "counter", "value")
                        .with(d -> d.incrementBy(-5)
                                .startWith(-1L)
                                .minValue(-1_000_000L)
                                .maxValue(-1L));
            }
        };

        abstract SequenceTable table();

        long number(long place) {
            SequenceDefinition template = table().template();
            return template.start() + (place - 1) * template.increment();
        }

        List<Long> numbers(long from, long to) {
            return LongStream.rangeClosed(from, to).map(this::number).boxed().toList();
        }

        /** Returns what the row holds if this number is next. */
        long counter(long next) {
            return number(table().kind() == SequenceTable.Kind.NEXT_VALUE ? next : next - 1);
        }
    }

    /** How the counter is set while no instance is watching. */
    enum Setting {
        SET_VAL {
            @Override
            void next(long place, Shape shape, Database database) throws SQLException {
                try (SqlSession sql = SqlSession.on(database)) {
                    sql.setVal("s", shape.number(place - 1));
                }
            }
        },
        BY_HAND {
            @Override
            void next(long place, Shape shape, Database database) throws SQLException {
                database.execute("UPDATE counters SET value = " + shape.counter(place) + " WHERE counter = 's'");
            }
        };

        abstract void next(long place, Shape shape, Database database) throws SQLException;
    }

    static Stream<Arguments> tables() {
        return Arrays.stream(SqlSpeaker.values())
                .flatMap(speaker -> Arrays.stream(Shape.values()).map(shape -> Arguments.of(speaker, shape)));
    }

    private final SqlSpeaker speaker;
    private final Shape shape;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private Database database;
    private HikariDataSource source;

    PlainPoolKeptInStepTest(SqlSpeaker speaker, Shape shape) {
        this.speaker = speaker.installed();
        this.shape = shape;
    }

    @BeforeEach
    void create() throws SQLException {
        database = speaker.freshDatabase();
        database.execute(
                "CREATE TABLE counters (counter VARCHAR(30) PRIMARY KEY, value BIGINT NOT NULL)",
                "INSERT INTO counters VALUES ('s', " + shape.counter(1) + ")");
        source = opened(TestedEngine.pool(database.dataSource(), 20)); // a login takes longer than a draw
        open().install();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable opened : open) {
            opened.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void who_begins_to_draw_after_the_counter_was_set_back_gets_each_number_once(Setting setting) throws SQLException {
        assertThat(draw(open(), 10)).isEqualTo(shape.numbers(1, 10));
        setting.next(5, shape, database);
        assertThat(draw(open(), 150)).isEqualTo(shape.numbers(5, 154));
    }

    @Test
    void a_counter_that_was_set_back_to_a_number_in_the_pool_is_noticed() throws SQLException {
        assertThat(draw(open(), 10)).isEqualTo(shape.numbers(1, 10));
        Setting.SET_VAL.next(30, shape, database);
        assertThat(draw(open(), 150)).isEqualTo(shape.numbers(30, 179));
    }

    @ParameterizedTest
    @EnumSource
    void running_instances_deal_what_is_new_as_soon_as_one_of_them_has_laid_it_out(Setting setting)
            throws SQLException {
        List<JdbcStore> stores = List.of(open(), open(), open());
        List<PooledSequence<Connection>> running = new ArrayList<>();
        for (JdbcStore store : stores) {
            running.add(pooled(store));
            next(store, running.get(running.size() - 1));
        }
        setting.next(5, shape, database);
        open().pool("s").layOut(1);
        List<Long> drawn = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            drawn.add(next(stores.get(i % 3), running.get(i % 3)));
        }
        assertGapless(drawn, 5);
    }

    /** While they draw, they deal the numbers they know; after a refill has returned, none of those is dealt. */
    @Test
    void many_who_draw_while_the_counter_is_set_back_get_each_number_once_after_the_next_refill() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            Queue<Drawn> drawn = new ConcurrentLinkedQueue<>();
            AtomicBoolean done = new AtomicBoolean();
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                JdbcStore store = open();
                PooledSequence<Connection> pooled = pooled(store);
                for (int j = 0; j < 2; j++) {
                    callers.add(threads.submit(() -> {
                        while (!done.get()) {
                            drawAgainAndAgain(store, pooled, drawn);
                        }
                    }));
                }
            }
            until(() -> drawn.size() > 30, callers);
            Setting.SET_VAL.next(5, shape, database);
            open().pool("s").layOut(1);
            long laidOut = System.nanoTime();
            until(() -> drawn.stream().filter(d -> d.began() - laidOut > 0).count() > 300, callers);
            done.set(true);
            for (Future<?> caller : callers) {
                caller.get();
            }
            assertThat(drawn.stream().filter(d -> d.began() - laidOut > 0).map(Drawn::number))
                    .doesNotHaveDuplicates();
        } finally {
            threads.shutdownNow();
        }
    }

    private record Drawn(long began, long number) {}

    private static void drawAgainAndAgain(JdbcStore store, PooledSequence<Connection> pooled, Queue<Drawn> drawn) {
        for (int i = 0; i < 10; i++) {
            long began = System.nanoTime();
            try {
                drawn.add(new Drawn(began, next(store, pooled)));
            } catch (Overloaded e) {
                // several may be refused while a pool is emptied
            }
        }
    }

    private static void until(BooleanSupplier seen, List<Future<?>> callers) throws Exception {
        while (!seen.getAsBoolean()) {
            for (Future<?> caller : callers) {
                if (caller.isDone()) {
                    caller.get();
                    throw new AssertionError("a caller draws no more");
                }
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void instances_that_know_the_old_numbers_find_none_of_them() throws SQLException {
        JdbcStore store = open();
        Pool<Connection> one = store.pool("s");
        Pool<Connection> two = open().pool("s");
        one.layOut(LAID_OUT);
        two.layOut(1);
        assertThat(claimed(store, one, 2)).isEqualTo(shape.numbers(1, 2));
        Setting.SET_VAL.next(2, shape, database);
        assertThat(claimed(store, two, 1)).as("until a refill has looked").isEqualTo(shape.numbers(3, 3));
        Block laidOut = one.layOut(10).laidOut();
        assertThat(laidOut).isNotNull();
        assertThat(laidOut.first()).isEqualTo(shape.number(2));
        assertThat(claimed(store, two, LAID_OUT)).isEmpty();
        assertThat(two.layOut(1).laidOut()).as("others have").isNull();
        assertThat(claimed(store, two, 4)).isEqualTo(shape.numbers(2, 5));
        assertThat(claimed(store, one, 4)).isEqualTo(shape.numbers(6, 9));
    }

    /** How a sequence is changed before the pool has been refilled. */
    enum Change {
        ALTER(5) {
            @Override
            void apply(JdbcStore store, Shape shape) {
                store.alter("s", same -> same);
            }
        },
        RAISE(20) {
            @Override
            void apply(JdbcStore store, Shape shape) {
                store.raise("s", shape.number(20));
            }
        },
        RAISE_TO_WHAT_LIES_BEHIND(5) {
            @Override
            void apply(JdbcStore store, Shape shape) {
                store.raise("s", shape.number(2));
            }
        },
        RESTART(3) {
            @Override
            void apply(JdbcStore store, Shape shape) {
                store.restart("s", shape.number(3));
            }
        };

        private final int next;

        Change(int next) {
            this.next = next;
        }

        abstract void apply(JdbcStore store, Shape shape);
    }

    @ParameterizedTest
    @EnumSource
    void a_change_of_the_sequence_empties_the_pool_as_well(Change change) throws SQLException {
        JdbcStore store = open();
        assertThat(draw(store, 10)).isEqualTo(shape.numbers(1, 10));
        Setting.SET_VAL.next(5, shape, database);
        change.apply(store, shape);
        assertThat(store.poolState("s").orElseThrow().count()).isZero();
        assertThat(draw(store, 150)).isEqualTo(shape.numbers(change.next, change.next + 149));
    }

    @ParameterizedTest
    @EnumSource
    void a_counter_that_was_set_forward_leaves_the_numbers_before_it_which_are_dealt_once(Setting setting)
            throws SQLException {
        JdbcStore store = open();
        assertThat(draw(store, 10)).isEqualTo(shape.numbers(1, 10));
        long next = 1
                + Math.abs(store.describe("s").nextValue() - shape.number(1))
                        / Math.abs(shape.table().template().increment());
        setting.next(5000, shape, database);
        assertThat(store.poolState("s").orElseThrow().lowest()).hasValue(shape.number(11));
        List<Long> expected = new ArrayList<>(shape.numbers(11, next - 1));
        expected.addAll(shape.numbers(5000, 5149));
        assertThat(draw(open(), expected.size())).isEqualTo(expected);
    }

    @Test
    void those_who_draw_in_other_modes_leave_the_pool_alone() throws SQLException {
        JdbcStore store = open();
        PooledSequence<Connection> pooled = pooled(store);
        List<Long> drawn = new ArrayList<>();
        try (SqlSession sql = SqlSession.on(database)) {
            for (int i = 0; i < 40; i++) {
                drawn.add(sql.nextVal("s"));
                drawn.addAll(store.<List<Long>, RuntimeException>inTransaction(
                        t -> pooled.next(t, 3).toList()));
                Block block = store.reserve("s", 7).block();
                if (!store.giveBack("s", block, 0)) { // numbers were laid out after it
                    block.forEach(drawn::add);
                }
            }
        }
        assertGapless(drawn, 1);
    }

    @Test
    void numbers_that_a_transaction_holds_are_waited_for_and_who_comes_after_a_crash_goes_on() throws SQLException {
        JdbcStore store = open();
        Pool<Connection> known = store.pool("s");
        known.layOut(LAID_OUT);
        Connection holder = begin();
        assertThat(known.claim(holder, 3).numbers()).isEqualTo(shape.numbers(1, 3));
        Setting.SET_VAL.next(2, shape, database);
        // The first instance that looks closes the pool off, gives up and ends.
        String url = database.option("seriatim.patience", "1s")
                .option("seriatim.table", "counters")
                .option("seriatim.name-column", "counter")
                .option("seriatim.value-column", "value")
                .option("seriatim.kind", shape.table().kind() == SequenceTable.Kind.NEXT_VALUE ? "next" : "last")
                .option(
                        "seriatim.increment-by",
                        String.valueOf(shape.table().template().increment()))
                .option(
                        "seriatim.min-value",
                        String.valueOf(shape.table().template().min()))
                .option(
                        "seriatim.max-value",
                        String.valueOf(shape.table().template().max()))
                .url();
        try (JdbcStore impatient = (JdbcStore) StoreDriver.open(url)) {
            assertThatThrownBy(() -> impatient.pool("s").layOut(1)).isInstanceOf(Overloaded.class);
        }
        assertThat(store.describe("s").nextValue()).isEqualTo(shape.number(2));
        assertThat(store.poolState("s")).isEmpty();
        // Meanwhile others draw from the counter, past all that was laid out.
        store.reserve("s", 2 * LAID_OUT);
        holder.rollback();
        Block laidOut = open().pool("s").layOut(10).laidOut();
        assertThat(laidOut).isNotNull();
        assertThat(laidOut.first()).isEqualTo(shape.number(2 + 2 * LAID_OUT));
        assertThat(claimed(store, known, 3)).isEmpty();
    }

    @Test
    void a_number_that_only_an_open_transaction_has_is_seen_as_well() throws SQLException {
        JdbcStore store = open();
        Pool<Connection> known = store.pool("s");
        known.layOut(LAID_OUT);
        claimed(store, known, LAID_OUT - 1); // on MariaDB and MySQL more searches stop there
        Connection holder = begin();
        assertThat(known.claim(holder, 1).numbers()).isEqualTo(shape.numbers(LAID_OUT, LAID_OUT));
        Setting.BY_HAND.next(2, shape, database);
        holder.rollback();
        assertThat(draw(open(), 150)).isEqualTo(shape.numbers(2, 151));
    }

    @Test
    void the_last_numbers_of_a_sequence_stay_until_the_counter_is_set_back() throws SQLException {
        Setting.BY_HAND.next(11, shape, database);
        SequenceTable table = shape.table().template().ascending()
                ? shape.table().with(d -> d.maxValue(shape.number(20)))
                : shape.table().with(d -> d.minValue(shape.number(20)));
        JdbcStore store = opened(JdbcStore.open(source, table));
        Pool<Connection> pool = store.pool("s");
        pool.layOut(LAID_OUT);
        assertThat(store.describe("s").usedUp()).isTrue();
        assertThat(pool.layOut(1).laidOut()).isNull();
        assertThat(claimed(store, pool, 3)).isEqualTo(shape.numbers(11, 13));
        assertThat(store.poolState("s").orElseThrow().count()).isEqualTo(7);
        Setting.BY_HAND.next(16, shape, database);
        assertThat(store.poolState("s")).isEmpty();
        Pool<Connection> later = opened(JdbcStore.open(source, table)).pool("s");
        later.layOut(LAID_OUT);
        assertThat(claimed(store, later, LAID_OUT)).isEqualTo(shape.numbers(16, 20));
        assertThatThrownBy(() -> later.layOut(1)).isInstanceOf(Exhausted.class);
    }

    @Test
    void numbers_that_are_not_to_be_dealt_any_more_are_not_reported_as_laid_out() throws SQLException {
        JdbcStore store = open();
        draw(store, 10);
        database.execute("CREATE TABLE kept (n BIGINT)");
        assertThat(laidOut(store)).isPresent();
        Setting.SET_VAL.next(5, shape, database);
        assertThat(store.poolState("s")).isEmpty();
        assertThat(laidOut(store)).isEmpty();
        draw(store, 1);
        assertThat(store.poolState("s").orElseThrow().lowest()).hasValue(shape.number(6));
        assertThat(laidOut(store).orElseThrow().get(0).first()).isEqualTo(shape.number(6));
    }

    /** Returns what a command that scans a column sees of the pool. */
    private static Optional<List<Block>> laidOut(JdbcStore store) {
        return store.scan(
                        "s",
                        new NumberColumn(ColumnName.of("kept", "n"), Optional.empty(), OptionalLong.empty()),
                        Seen::new)
                .pool;
    }

    private static final class Seen implements Visitor {
        private Optional<List<Block>> pool = Optional.empty();

        Seen(SequenceState state) {
            assertThat(state.epoch()).isZero();
        }

        @Override
        public void laidOut(List<Block> numbers) {
            pool = Optional.of(numbers);
        }

        @Override
        public void withoutNumber(long rows) {}

        @Override
        public void number(long number) {}

        @Override
        public void inTime(long number, Supplier<String> time) {}
    }

    private <T extends AutoCloseable> T opened(T it) {
        open.push(it);
        return it;
    }

    private JdbcStore open() {
        return opened(JdbcStore.open(source, shape.table()));
    }

    private Connection begin() throws SQLException {
        Connection connection = opened(database.connect());
        connection.setAutoCommit(false);
        return connection;
    }

    private PooledSequence<Connection> pooled(JdbcStore store) {
        return opened(StoreSequences.builder(store)
                        .patience(Duration.ofSeconds(20))
                        .build())
                .pooled("s", store);
    }

    private static long next(JdbcStore store, PooledSequence<Connection> sequence) {
        return store.<Long, RuntimeException>inTransaction(sequence::next);
    }

    /** Draws as a new instance, waits for each refill, however long it takes, and leaves numbers in the pool. */
    private static List<Long> draw(JdbcStore store, int count) {
        Pool<Connection> pool = store.pool("s");
        List<Long> drawn = new ArrayList<>();
        while (drawn.size() < count) {
            pool.layOut(count + LAID_OUT);
            drawn.addAll(claimed(store, pool, count - drawn.size()));
        }
        return drawn;
    }

    private static List<Long> claimed(JdbcStore store, Pool<Connection> pool, int count) {
        return store.inTransaction(t -> pool.claim(t, count).numbers());
    }

    /** Together with those in the pool, these are exactly the numbers from one to the counter. */
    private void assertGapless(List<Long> drawn, int first) {
        JdbcStore store = open();
        long next;
        List<Long> all = new ArrayList<>();
        do { // a refill may still arrive between the two readings
            next = store.describe("s").nextValue();
            all.clear();
            store.poolState("s").orElseThrow().laidOut().forEach(run -> run.forEach(all::add));
        } while (store.describe("s").nextValue() != next);
        all.addAll(drawn);
        assertThat(all).containsExactlyInAnyOrderElementsOf(shape.numbers(first, first + all.size() - 1L));
        assertThat(next).isEqualTo(shape.number(first + all.size()));
    }
}
