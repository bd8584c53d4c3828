// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.TransactionalStore;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What native sequences guarantee on one engine: less than the testkit's contracts require of a store. */
abstract class NativeContract {

    private final List<OpenStore> opened = new ArrayList<>();
    private Database database;

    /** Creates a new database. */
    abstract Database create();

    /** Opens a store of its native sequences. */
    abstract OpenStore open(Database of);

    /** Returns the statement with which other clients draw a value. */
    abstract String nextValue(String name);

    /** Returns a non-default cache that the engine accepts. */
    abstract long cache();

    /** Returns the greatest value that the engine can hold; the least is its negation, or one less. */
    abstract long greatest();

    abstract long least();

    /** Returns the largest step. */
    abstract long steepest();

    @BeforeEach
    final void newDatabase() {
        database = create();
    }

    @AfterEach
    final void close() {
        opened.forEach(OpenStore::close);
    }

    final Database database() {
        return database;
    }

    final OpenStore store() {
        OpenStore store = open(database);
        opened.add(store);
        return store;
    }

    final OpenStore storeWith(SequenceDefinition definition) {
        OpenStore store = store();
        store.create(definition);
        return store;
    }

    /** Returns a definition with a cache of 1, so that no value is skipped, not even the last. */
    static SequenceDefinition.Builder named(String name) {
        return SequenceDefinition.named(name).cache(1);
    }

    private static long read(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void a_counter_that_went_back_is_noticed_whatever_is_drawn_from_other_sequences() throws SQLException {
        OpenStore store = storeWith(named("plain").cache(1).build());
        store.create(named("round").maxValue(5L).cycle(true).cache(1).build());
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence plain = sequences.open("plain", Allocation.async());
            Sequence round = sequences.open("round", Allocation.async());
            for (long expected = 1; expected <= 3; expected++) {
                assertThat(plain.next()).isEqualTo(expected);
            }
            database.execute("ALTER SEQUENCE plain RESTART WITH 1");
            for (int i = 0; i < 7; i++) {
                round.next();
            }
            assertThatThrownBy(plain::next).isInstanceOf(SequenceException.Regressed.class);
            assertThat(round.next()).isEqualTo(3);
        }
    }

    @Test
    void deals_from_the_start_without_gaps_or_repeats() {
        OpenStore store = storeWith(named("s").startWith(7L).build());
        assertThat(store.reserve("s", 1).block()).isEqualTo(new Block(7, 1, 1));
        assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(8, 3, 1));
        assertThat(store.reserve("s", 1).block()).isEqualTo(new Block(11, 1, 1));
        assertThat(store.reserve("s", 5000).block()).isEqualTo(new Block(12, 5000, 1));
    }

    @Test
    void steps_by_the_increment_up_and_down() {
        OpenStore store = storeWith(named("up").incrementBy(5).build());
        store.create(named("down").incrementBy(-2).build());
        assertThat(store.reserve("up", 3).block().values()).containsExactly(1L, 6L, 11L);
        assertThat(store.reserve("up", 1).block().first()).isEqualTo(16);
        assertThat(store.reserve("down", 3).block().values()).containsExactly(-1L, -3L, -5L);
        assertThat(store.reserve("down", 1).block().first()).isEqualTo(-7);
    }

    @Test
    void keeps_a_definition_as_it_was_made_and_tells_it_with_every_block() {
        List<SequenceDefinition> definitions = List.of(
                named("plain").minValue(1L).maxValue(greatest()).build(),
                new SequenceDefinition("down", -5, -3, -100, 50, true, cache()),
                new SequenceDefinition("whole", 0, 1, least(), greatest(), false, 1),
                new SequenceDefinition("steep", least(), steepest(), least(), greatest(), false, 1),
                new SequenceDefinition("falling", greatest(), -steepest(), least(), greatest(), true, 1));
        OpenStore store = store();
        for (SequenceDefinition definition : definitions) {
            store.create(definition);
            SequenceState state = store().describe(definition.name());
            assertThat(state.definition()).isEqualTo(definition);
            assertThat(state.nextValue()).isEqualTo(definition.start());
            assertThat(state.usedUp()).isFalse();
            Reservation first = store.reserve(definition.name(), 1);
            assertThat(first.definition()).isEqualTo(definition);
            assertThat(first.block()).isEqualTo(new Block(definition.start(), 1, definition.increment()));
        }
        assertThat(store.list())
                .extracting(s -> s.definition().name())
                .containsExactly("down", "falling", "plain", "steep", "whole");
    }

    @Test
    void gives_a_definition_without_a_cache_the_default_of_the_engine() {
        OpenStore store = store();
        store.create(store.newDefinition("s").build());
        assertThat(store.describe("s").definition().cache())
                .isEqualTo(store.newDefinition("s").build().cache());
    }

    @Test
    void deals_a_block_of_the_sequences_own_size_when_asked_for_its_cache() {
        OpenStore store = storeWith(SequenceDefinition.named("s").cache(cache()).build());
        assertThat(store.reserve("s", SequenceStore.CACHE).block()).isEqualTo(new Block(1, cache(), 1));
        assertThat(store.reserve("s", SequenceStore.CACHE).block()).isEqualTo(new Block(cache() + 1, cache(), 1));
    }

    @Test
    void shares_the_counter_between_handles_and_with_sql() throws SQLException {
        OpenStore one = storeWith(named("s").build());
        OpenStore other = store();
        assertThat(one.reserve("s", 2).block().first()).isEqualTo(1);
        assertThat(other.reserve("s", 2).block().first()).isEqualTo(3);
        assertThat(database.number(nextValue("s"))).isEqualTo(5);
        assertThat(one.reserve("s", 2).block().first()).isEqualTo(6);
    }

    @Test
    void tells_how_a_sequence_stands() {
        OpenStore store = storeWith(named("s").maxValue(10L).build());
        store.reserve("s", 4);
        assertThat(store().describe("s").nextValue()).isEqualTo(5);
        store.reserve("s", 6);
        assertThat(store.describe("s").usedUp()).isTrue();
        assertThat(store.describe("s").valuesLeft()).isZero();
    }

    @Test
    void shortens_the_last_block_and_then_is_exhausted() {
        OpenStore store = storeWith(named("s").maxValue(10L).build());
        assertThat(store.reserve("s", 8).block()).isEqualTo(new Block(1, 8, 1));
        assertThat(store.reserve("s", 8).block()).isEqualTo(new Block(9, 2, 1));
        for (int count = 1; count <= 2; count++) {
            int asked = count;
            assertThatThrownBy(() -> store.reserve("s", asked))
                    .isInstanceOf(SequenceException.Exhausted.class)
                    .hasMessageContaining("'s'")
                    .hasMessageContaining("10");
        }
    }

    @Test
    void loses_nothing_near_the_end_however_much_is_asked_for() {
        OpenStore store = storeWith(named("s").maxValue(1000L).build());
        assertThat(store.reserve("s", 300).block()).isEqualTo(new Block(1, 300, 1));
        assertThat(store.reserve("s", Long.MAX_VALUE).block()).isEqualTo(new Block(301, 700, 1));
    }

    @Test
    void goes_on_behind_the_last_value_when_an_exhausted_sequence_gets_more_room() {
        OpenStore store = storeWith(named("s").maxValue(10L).build());
        store.reserve("s", 10);
        SequenceState altered =
                store.alter("s", d -> d.toBuilder().maxValue(12L).build());
        assertThat(altered.nextValue()).isEqualTo(11);
        assertThat(store.reserve("s", 5).block()).isEqualTo(new Block(11, 2, 1));
    }

    @Test
    void stops_at_the_last_whole_step_inside_the_bounds() {
        OpenStore store =
                storeWith(named("s").incrementBy(4).minValue(0L).maxValue(10L).build());
        assertThat(store.reserve("s", 100).block()).isEqualTo(new Block(0, 3, 4));
        assertThatThrownBy(() -> store.reserve("s", 1)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void reaches_both_ends_of_what_it_can_hold_without_overflow() {
        OpenStore store = storeWith(
                named("up").startWith(greatest() - 2).maxValue(greatest()).build());
        store.create(named("down")
                .incrementBy(-1)
                .startWith(least() + 2)
                .minValue(least())
                .build());
        assertThat(store.reserve("up", 100).block().values())
                .containsExactly(greatest() - 2, greatest() - 1, greatest());
        assertThat(store.reserve("down", 100).block().values()).containsExactly(least() + 2, least() + 1, least());
        assertThatThrownBy(() -> store.reserve("up", 1)).isInstanceOf(SequenceException.Exhausted.class);
        assertThatThrownBy(() -> store.reserve("down", 1)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void starts_over_when_it_cycles_and_stops_nobody_who_is_drawing() {
        OpenStore store = storeWith(
                named("s").startWith(5L).minValue(3L).maxValue(7L).cycle(true).build());
        assertThat(store.reserve("s", 9).block()).isEqualTo(new Block(5, 3, 1));
        assertThat(store.reserve("s", 2).block()).isEqualTo(new Block(3, 2, 1));
        assertThat(store.reserve("s", 9).block()).isEqualTo(new Block(5, 3, 1));
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.combined());
            assertThat(LongStream.range(0, 8).map(i -> sequence.next()))
                    .containsExactly(3L, 4L, 5L, 6L, 7L, 3L, 4L, 5L);
        }
    }

    @Test
    void names_what_is_missing_in_every_call() {
        OpenStore store = storeWith(named("other").build());
        List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls = List.of(
                () -> store.reserve("s", 1),
                () -> store.reserve("s", 2),
                () -> store.reserve("s", SequenceStore.CACHE),
                () -> store.describe("s"),
                () -> store.alter("s", d -> d),
                () -> store.restart("s", 1),
                () -> store.drop("s"));
        for (var call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOf(SequenceException.NotFound.class)
                    .hasMessageContaining("'s'");
        }
        store.drop("other");
        assertThatThrownBy(() -> store.reserve("other", 1)).isInstanceOf(SequenceException.NotFound.class);
        assertThat(store.list()).isEmpty();
    }

    @Test
    void refuses_a_name_that_is_taken() throws SQLException {
        OpenStore store = storeWith(named("s").build());
        store.reserve("s", 4);
        assertThatThrownBy(() -> store.create(named("s").maxValue(9L).build()))
                .isInstanceOf(SequenceException.AlreadyExists.class);
        assertThat(store.describe("s").nextValue()).isEqualTo(5);
        database.execute("CREATE TABLE t (n INT)");
        assertThatThrownBy(() -> store.create(named("t").build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("table");
        assertThatThrownBy(() -> store.reserve("t", 1)).isInstanceOf(SequenceException.NotFound.class);
        assertThatThrownBy(() -> store.describe("t")).isInstanceOf(SequenceException.NotFound.class);
    }

    @Test
    void refuses_names_that_are_no_plain_identifiers() {
        OpenStore store = store();
        for (String name : List.of("a b", "a\"; DROP TABLE t", "a`", "1a", "ä", "x".repeat(64))) {
            assertThatThrownBy(() -> store.create(named(name).build()))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("identifier");
            assertThatThrownBy(() -> store.reserve(name, 1)).isInstanceOf(SequenceException.Misconfigured.class);
            assertThatThrownBy(() -> store.describe(name)).isInstanceOf(SequenceException.Misconfigured.class);
            assertThatThrownBy(() -> store.drop(name)).isInstanceOf(SequenceException.Misconfigured.class);
        }
        store.create(named("x".repeat(63)).build());
        store.create(named("select").build());
        assertThat(store.reserve("select", 2).block()).isEqualTo(new Block(1, 2, 1));
        assertThat(store.list()).hasSize(2);
    }

    @Test
    void refuses_a_negative_count() {
        OpenStore store = storeWith(named("s").build());
        assertThatThrownBy(() -> store.reserve("s", -1)).isInstanceOf(SequenceException.Misconfigured.class);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(1);
    }

    @Test
    void alters_and_restarts_so_that_others_see_it_with_their_next_block() {
        OpenStore store = storeWith(named("s").build());
        store.reserve("s", 2);
        SequenceState altered = store().alter(
                        "s", d -> d.toBuilder().maxValue(500L).cache(cache()).build());
        assertThat(altered.definition().max()).isEqualTo(500);
        assertThat(store.reserve("s", 1).definition()).isEqualTo(altered.definition());
        store().alter("s", d -> d.toBuilder().cache(1).build());
        assertThat(store().restart("s", 50).nextValue()).isEqualTo(50);
        assertThat(store.reserve("s", 3).block()).isEqualTo(new Block(50, 3, 1));
        assertThatThrownBy(() -> store.restart("s", 501)).isInstanceOf(SequenceException.Misconfigured.class);
        assertThatThrownBy(
                        () -> store.alter("s", d -> d.toBuilder().maxValue(40L).build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("53");
        assertThat(store.describe("s").nextValue()).isEqualTo(53);
    }

    @Test
    void stops_who_is_drawing_when_it_is_restarted() {
        OpenStore store = storeWith(named("s").build());
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.async());
            sequence.next(10);
            store().restart("s", 1);
            assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Regressed.class);
        }
    }

    @Test
    void takes_nothing_back() {
        OpenStore store = storeWith(named("s").build());
        Reservation reservation = store.reserve("s", 10);
        assertThat(store.giveBack("s", new Block(4, 7, 1), reservation.epoch())).isFalse();
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(11);
    }

    @Test
    void draws_in_no_transaction_of_the_callers_and_says_what_it_does_not_promise() {
        OpenStore store = store();
        assertThat(store).isNotInstanceOf(TransactionalStore.class);
        assertThat(store.toString())
                .contains("native sequences")
                .containsPattern("repeat after a server crash|the vendor documents");
        assertThat(store.toString()).doesNotContain(database.password() + "@").doesNotContain("password");
    }

    @TestFactory
    Stream<DynamicTest> deals_every_value_once_to_sixteen_threads_over_two_stores_in_every_mode() {
        AtomicLong names = new AtomicLong();
        Set<Allocation> ordered = Set.of(Allocation.async(), Allocation.combined());
        return DynamicTest.stream(
                Stream.of(
                        Allocation.async(),
                        Allocation.combined(),
                        Allocation.batch(),
                        Allocation.batch(7),
                        Allocation.asyncBatch(20, 5),
                        Allocation.adaptive()),
                Allocation::toString,
                mode -> {
                    String name = "s_" + names.incrementAndGet();
                    OpenStore first = storeWith(named(name).build());
                    List<StoreSequences> instances = List.of(StoreSequences.of(first), StoreSequences.of(store()));
                    History history = new Crowd(16, 20).draw((thread, turn) -> {
                        Sequence sequence = instances.get(thread % 2).open(name, mode);
                        return turn % 5 == 4 ? sequence.next(3) : new Block(sequence.next(), 1, 1);
                    });
                    instances.forEach(StoreSequences::close);
                    assertThat(history.duplicates()).isZero();
                    assertThat(history.size()).isEqualTo(16 * (16 + 4 * 3));
                    if (ordered.contains(mode)) {
                        assertThat(history.orderViolations(true)).isZero();
                    }
                });
    }

    @TestFactory
    Stream<DynamicTest> deals_every_value_once_whatever_others_draw_in_between() {
        return DynamicTest.stream(Stream.of(1L, 200L), count -> "blocks of " + count, count -> {
            String name = "s_" + count;
            OpenStore store = storeWith(named(name).build());
            Set<Long> drawn = ConcurrentHashMap.newKeySet();
            AtomicLong draws = new AtomicLong();
            new Crowd(4, 1).each((thread, turn) -> {
                try (Connection connection = database.connect()) {
                    for (int i = 0; i < 100; i++) {
                        List<Long> values = thread == 0
                                ? List.of(read(connection, nextValue(name)))
                                : store.reserve(name, count)
                                        .block()
                                        .values()
                                        .boxed()
                                        .toList();
                        drawn.addAll(values);
                        draws.addAndGet(values.size());
                    }
                }
            });
            assertThat(drawn).hasSize((int) draws.get());
        });
    }

    @Test
    void deals_every_value_once_down_to_the_last_to_many() {
        OpenStore store = storeWith(named("s").maxValue(400L).build());
        List<OpenStore> stores = List.of(store, store());
        History history = new History();
        new Crowd(8, 1).each((thread, turn) -> {
            try {
                while (true) {
                    history.add(0, 0, stores.get(thread % 2).reserve("s", 3).block());
                }
            } catch (SequenceException.Exhausted end) {
                assertThat(end).hasMessageContaining("400");
            }
        });
        assertThat(history.duplicates()).isZero();
        assertThat(history.size()).isBetween(350L, 400L);
        assertThat(store.describe("s").usedUp()).isTrue();
    }
}
