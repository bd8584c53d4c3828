// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.cloud.spanner.Spanner;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.number.Transform;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpannerNativeStoreTest {

    private final Place place = place();
    private final EmulatorDatabase database = EmulatorDatabase.drawing(place());
    private final String name = place().path("s");
    private SpannerNativeStore store;

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    @BeforeEach
    void open() {
        store = (SpannerNativeStore) database.open("sequences=native");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void deals_the_reversed_counter() {
        store.create(SequenceDefinition.of(name));
        List<Long> drawn = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            drawn.add(store.reserve(name, 1).block().first());
        }
        assertThat(drawn)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 64)
                        .map(Transform.bitReversed()::apply)
                        .boxed()
                        .toList());
    }

    @Test
    void shares_the_counter_with_sql() {
        store.create(SequenceDefinition.of(name));
        long first = store.reserve(name, 1).block().first();
        Long second = database.client().readWriteTransaction().run(transaction -> {
            try (var rows = transaction.executeQuery(place.sql().draw(name, 1))) {
                rows.next();
                return rows.getLong(0);
            }
        });
        assertThat(List.of(first, second)).containsExactly(1L << 62, 1L << 61);
    }

    @Test
    void starts_at_the_requested_value_and_leaves_the_skip_range_out() {
        try (OpenStore skipping =
                database.open("sequences=native", "skip-range-min=1", "skip-range-max=4611686018427387904")) {
            skipping.create(SequenceDefinition.named(name).startWith(4L).build());
            List<Long> drawn = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                drawn.add(skipping.reserve(name, 1).block().first());
            }
            Transform reversal = Transform.bitReversed(1, 1L << 62);
            assertThat(drawn)
                    .allMatch(value -> value > 1L << 62)
                    .containsExactlyElementsOf(LongStream.iterate(4, counter -> counter + 1)
                            .filter(counter -> !reversal.skips(counter))
                            .map(reversal::apply)
                            .limit(50)
                            .boxed()
                            .toList());
            assertThat(skipping.describe(name).definition().start()).isEqualTo(4);
            assertThat(store.details(name)).containsEntry("skips", "1 … 4611686018427387904");
        }
    }

    @Test
    void tells_its_internal_state() {
        store.create(SequenceDefinition.of(name));
        assertThat(store.details(name))
                .containsEntry("kind", "bit_reversed_positive")
                .containsEntry("counter", "not used yet")
                .containsEntry("deals next", Long.toString(1L << 62));
        assertThat(store.describe(name).nextValue()).isEqualTo(1);
        store.reserve(name, 1);
        assertThat(store.details(name))
                .containsEntry("counter", "2")
                .containsEntry("deals next", Long.toString(1L << 61));
        assertThat(store.reserve(name, 1).block()).isEqualTo(new Block(1L << 61, 1, 1));
        assertThat(store.describe(name).nextValue()).isEqualTo(3);
    }

    static List<Allocation> modes() {
        return List.of(
                Allocation.async(),
                Allocation.combined(),
                Allocation.batch(20),
                Allocation.asyncBatch(20, 5),
                Allocation.adaptive());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deals_every_value_once_in_every_mode(Allocation mode) {
        store.create(SequenceDefinition.of(name));
        try (OpenStore other = database.open("sequences=native");
                StoreSequences here = StoreSequences.of(store);
                StoreSequences there = StoreSequences.of(other)) {
            List<Sequence> instances = List.of(here.open(name, mode), there.open(name, mode));
            // In PostgreSQL's dialect, the emulator fails draws that run at once: "Sequence function needs access to
            // the
            // schema in the Emulator".
            History history = new Crowd(place.isGoogle() ? 8 : 1, place.isGoogle() ? 25 : 40)
                    .draw((thread, turn) ->
                            new Block(instances.get((thread + turn) % 2).next(), 1, 1));
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(place.isGoogle() ? 200 : 40);
        }
    }

    @Test
    void restarts_its_counter_and_refuses_a_raise_which_could_move_it_back() {
        store.create(SequenceDefinition.of(name));
        store.reserve(name, 10);
        refused(() -> store.raise(name, 1000), "while others draw", "restart it");
        assertThat(store.describe(name).nextValue()).isEqualTo(11);
        store.restart(name, 7);
        assertThat(store.reserve(name, 1).block().first()).isEqualTo(Long.reverse(7) >>> 1);
    }

    @Test
    void says_what_it_has_not_and_what_cannot_be() {
        assertThat(store.list()).isEmpty();
        for (String none :
                List.of("nobody", "no identifier", "a`b", "acme.nobody", "no.no.no", "a.b.c.d", "a.", "'.'")) {
            assertThatThrownBy(() -> store.reserve(none, 1))
                    .isInstanceOf(SequenceException.NotFound.class)
                    .hasMessageContaining("'" + none + "'");
            assertThatThrownBy(() -> store.describe(none)).isInstanceOf(SequenceException.NotFound.class);
            assertThatThrownBy(() -> store.drop(none)).isInstanceOf(SequenceException.NotFound.class);
        }
        assertThatThrownBy(() -> store.create(SequenceDefinition.of("nosuch.s")))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("Schema not found: nosuch; create it");
        store.create(SequenceDefinition.of(name));
        assertThatThrownBy(() -> store.create(SequenceDefinition.of(name)))
                .isInstanceOf(SequenceException.AlreadyExists.class);
        assertThatThrownBy(() -> store.create(
                        SequenceDefinition.named(place.path("t")).incrementBy(2).build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("by 1");
        assertThatThrownBy(
                        () -> store.alter(name, d -> d.toBuilder().maxValue(9L).build()))
                .isInstanceOf(SequenceException.Misconfigured.class);
        assertThat(store.list()).extracting(state -> state.definition().name()).containsExactly(name);
        store.drop(name);
        assertThat(store.list()).isEmpty();
    }

    @Test
    void sets_the_skip_range_of_an_existing_sequence() throws Exception {
        String made =
                place.isGoogle() ? " OPTIONS (sequence_kind = 'bit_reversed_positive')" : " BIT_REVERSED_POSITIVE";
        String older = place.path("older");
        database.change("CREATE SEQUENCE " + place.sql().quoted(older) + made);
        store.create(SequenceDefinition.of(name));
        assertThat(store.details(name)).doesNotContainKey("skips");
        try (OpenStore skipping =
                database.open("sequences=native", "skip-range-min=1", "skip-range-max=4611686018427387904")) {
            for (String one : List.of(name, older)) {
                skipping.reserve(one, 20);
                skipping.alter(one, definition -> definition);
                assertThat(store.details(one)).containsEntry("skips", "1 … 4611686018427387904");
                for (int i = 0; i < 50; i++) {
                    assertThat(skipping.reserve(one, 1).block().first()).isGreaterThan(1L << 62);
                }
                skipping.restart(one, 9);
                assertThat(store.describe(one).nextValue()).isEqualTo(9);
            }
        }
        try (OpenStore nothing =
                database.open("sequences=native", "skip-range-min=1", "skip-range-max=" + Long.MAX_VALUE)) {
            nothing.alter(name, definition -> definition);
            assertThatThrownBy(() -> nothing.reserve(name, 1)).isInstanceOf(SequenceException.Exhausted.class);
        }
    }

    @Test
    void inspects_and_moves_the_counter_of_an_identity_column() throws Exception {
        String table = place.path("orders");
        String column = table + ".id";
        String comma = place.isGoogle() ? ", " : " ";
        database.change(place.create(
                table,
                "id INT64 NOT NULL GENERATED BY DEFAULT AS IDENTITY (BIT_REVERSED_POSITIVE SKIP RANGE 1" + comma + "9)",
                "note INT64"));
        assertThat(store.details(column))
                .containsEntry("kind", "identity column, bit_reversed_positive")
                .containsEntry("counter", "not used yet");
        assertThat(store.describe(column).nextValue()).isEqualTo(1);
        String insert = "INSERT INTO " + table + " (note) VALUES (7)";
        database.execute(insert);
        assertThat(store.details(column))
                .containsEntry("counter", "2")
                .containsEntry("deals next", Long.toString(1L << 61));
        store.restart(column, 1000);
        assertThat(store.describe(column).nextValue()).isEqualTo(1000);
        database.execute(insert);
        store.restart(column, 7);
        database.execute(insert);
        try (OpenStore skipping =
                database.open("sequences=native", "skip-range-min=1", "skip-range-max=4611686018427387904")) {
            skipping.alter(column, definition -> definition);
        }
        database.execute(insert, insert, insert);
        assertThat(database.numbers("SELECT id FROM " + table + " WHERE id <= 4611686018427387904 ORDER BY id"))
                .contains(Long.reverse(1000) >>> 1, 1L << 62)
                .hasSizeBetween(2, 3);
        assertThat(database.numbers("SELECT id FROM " + table)).hasSize(6);
    }

    @Test
    void refuses_to_draw_from_an_identity_column_to_create_and_to_drop_it() throws Exception {
        String column = place.path("orders.id");
        database.change(place.create(
                place.path("orders"), "id INT64 NOT NULL GENERATED BY DEFAULT AS IDENTITY (BIT_REVERSED_POSITIVE)"));
        refused(() -> store.reserve(column, 1), "only an INSERT draws", "leave the column out");
        refused(() -> store.create(SequenceDefinition.of(column)), "created and dropped with the column");
        refused(() -> store.drop(column), "created and dropped with the column");
        refused(() -> store.alter(column, d -> d.toBuilder().maxValue(9L).build()), "skip-range-min");
        for (String none : List.of(place.path("orders.nosuch"), place.path("nosuch.id"))) {
            assertThatThrownBy(() -> store.reserve(none, 1)).isInstanceOf(SequenceException.NotFound.class);
            assertThatThrownBy(() -> store.restart(none, 1)).isInstanceOf(SequenceException.NotFound.class);
        }
    }

    /** In the catalogue, the emulator says of no column that it is an identity column; so this test asks for others. */
    @Test
    void lists_identity_columns_with_what_the_catalogue_says_of_them() throws Exception {
        String table = place.path("orders");
        database.change(place.create(
                table, "id INT64 NOT NULL GENERATED BY DEFAULT AS IDENTITY (BIT_REVERSED_POSITIVE)", "note INT64"));
        store.create(SequenceDefinition.of(name));
        assertThat(store.list()).hasSize(1);
        InterceptedCalls calls = new InterceptedCalls();
        calls.rewrite(sql -> sql.replace("is_identity = 'YES'", "column_name = 'id'")
                .replace("identity_kind", "'BIT_REVERSED_POSITIVE_SEQUENCE'")
                .replace("identity_start_with_counter", "'5'")
                .replace("identity_skip_range_min", "'1'")
                .replace("identity_skip_range_max", "'9'"));
        try (Spanner client = calls.client(database, Duration.ofSeconds(10));
                SpannerNativeStore listing = SpannerNativeStore.open(client, database.id())) {
            assertThat(listing.list())
                    .extracting(state -> state.definition().name(), SequenceState::nextValue)
                    .containsExactlyInAnyOrder(tuple(table + ".id", 5L), tuple(name, 1L));
            assertThat(listing.details(table + ".id"))
                    .containsEntry("kind", "identity column, bit_reversed_positive_sequence")
                    .containsEntry("deals next", Long.toString(Long.reverse(5) >>> 1))
                    .containsEntry("skips", "1 … 9");
        }
    }

    @Test
    void names_with_capitals_are_refused_where_they_would_be_folded() throws Exception {
        assumeTrue(!place.isGoogle(), "GoogleSQL's names are the same in any case");
        database.change("CREATE SEQUENCE " + place.sql().quoted(place.path("Capital")) + " BIT_REVERSED_POSITIVE");
        store.create(SequenceDefinition.of(name));
        refused(() -> store.reserve(place.path("Capital"), 1), "lower-case");
        refused(() -> store.create(SequenceDefinition.of("S")), "lower-case");
        List<String> broken = new ArrayList<>();
        assertThat(store.list((one, why) -> broken.add(one))).hasSize(1);
        assertThat(broken).containsExactly(place.path("Capital"));
    }

    private static void refused(ThrowingCallable call, String... why) {
        assertThatThrownBy(call)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .message()
                .contains(why)
                .doesNotContain("\n");
    }
}
