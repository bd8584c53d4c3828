// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published form: a bare counter that any application may increment. */
class BareCountersTest {

    private static final OpenBucket ONE = OpenBucket.connect();
    private static final OpenBucket OTHER = OpenBucket.connect();

    private final String prefix = TestServer.freshPrefix();
    private final CouchbaseStore store = open(ONE);

    private CouchbaseStore open(OpenBucket bucket) {
        return CouchbaseStore.open(bucket.collection(), bucket.counters().withPrefix(prefix));
    }

    private BareCounters counters() {
        CouchbaseOptions options = ONE.counters().withPrefix(prefix);
        CouchbaseFailures failures = new CouchbaseFailures("the bucket", options.durabilityName(), options.timeout());
        return new BareCounters(
                new Documents(ONE.collection().async(), options.durability(), ""),
                new Retries(failures, options.timeout()),
                Keys.of(options),
                "the bucket");
    }

    @AfterAll
    static void disconnect() {
        ONE.close();
        OTHER.close();
    }

    static List<Allocation> modes() {
        return List.of(
                Allocation.async(),
                Allocation.combined(),
                Allocation.batch(7),
                Allocation.asyncBatch(20, 5),
                Allocation.adaptive());
    }

    @Test
    void a_counter_of_another_application_is_drawn_from_as_it_is() {
        assertThat(ONE.increment(prefix + "c")).isEqualTo(1);
        assertThat(store.describe("c").nextValue()).isEqualTo(2);
        assertThat(store.reserve("c", 1).block()).isEqualTo(new Block(2, 1, 1));
        assertThat(OTHER.increment(prefix + "c")).isEqualTo(3);
        assertThat(store.reserve("c", SequenceStore.CACHE).block()).isEqualTo(new Block(4, 100, 1));
        assertThat(OTHER.increment(prefix + "c")).isEqualTo(104);
    }

    @Test
    void a_counter_of_ours_is_one_that_others_increment() {
        store.create(SequenceDefinition.of("c"));
        assertThat(ONE.increment(prefix + "c")).isEqualTo(1);
        store.create(SequenceDefinition.named("from 50").startWith(50L).build());
        assertThat(store.reserve("from 50", 1).block().first()).isEqualTo(50);
        assertThat(store.list()).extracting(s -> s.definition().name()).containsExactly("c", "from 50");
        assertThatThrownBy(() -> store.create(SequenceDefinition.of("c"))).isInstanceOf(AlreadyExists.class);
        store.drop("c");
        assertThatThrownBy(() -> store.reserve("c", 1)).isInstanceOf(NotFound.class);
        assertThat(store.list()).hasSize(1);
        assertThat(ONE.increment(prefix + "c")).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void two_clients_and_a_bare_one_get_every_value_once(Allocation mode) {
        store.create(SequenceDefinition.of("c"));
        List<StoreSequences> instances = List.of(StoreSequences.of(store), StoreSequences.of(open(OTHER)));
        List<Sequence> drawn = new ArrayList<>();
        instances.forEach(instance -> drawn.add(instance.open("c", mode)));
        History history = new Crowd(9, 100)
                .draw((thread, turn) ->
                        new Block(thread < 8 ? drawn.get(thread % 2).next() : ONE.increment(prefix + "c"), 1, 1));
        instances.forEach(StoreSequences::close);
        assertThat(history.size()).isEqualTo(900);
        assertThat(history.duplicates()).isZero();
        assertThat(history.largest()).isLessThan(store.describe("c").nextValue());
        if (mode.equals(Allocation.async()) || mode.equals(Allocation.combined())) {
            assertThat(history.orderViolations(true)).isZero();
            assertThat(store.describe("c").nextValue()).isEqualTo(901);
        }
    }

    @Test
    void the_last_values_up_to_our_maximum_are_dealt_and_no_try_goes_beyond() {
        ONE.put(prefix + "c", Long.toString(Long.MAX_VALUE - 5));
        assertThat(store.reserve("c", 2).block()).isEqualTo(new Block(Long.MAX_VALUE - 4, 2, 1));
        assertThat(store.reserve("c", 9).block()).isEqualTo(new Block(Long.MAX_VALUE - 2, 3, 1));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> store.reserve("c", 1L << 40)).isInstanceOf(Exhausted.class);
            assertThatThrownBy(() -> open(OTHER).reserve("c", 1)).isInstanceOf(Exhausted.class);
        }
        assertThat(ONE.text(prefix + "c")).isEqualTo(Long.toString(Long.MAX_VALUE));
        assertThat(store.describe("c").usedUp()).isTrue();
    }

    @Test
    void a_counter_that_we_push_past_our_maximum_is_refused_until_it_is_set_again() {
        store.create(SequenceDefinition.of("c"));
        store.reserve("c", 1); // sees no changes by others from here on
        open(OTHER).raise("c", Long.MAX_VALUE - 4);
        assertThatThrownBy(() -> store.reserve("c", 10)).isInstanceOf(Misconfigured.class);
        String pushed = ONE.text(prefix + "c");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> store.reserve("c", 10)).isInstanceOf(Misconfigured.class);
            assertThatThrownBy(() -> open(OTHER).reserve("c", 1)).isInstanceOf(Misconfigured.class);
        }
        assertThat(ONE.text(prefix + "c")).as("pushed once").isEqualTo(pushed);
        ONE.put(prefix + "c", "6");
        assertThat(store.reserve("c", 1).block().first()).isEqualTo(7);
    }

    @Test
    void a_counter_that_is_dropped_while_it_is_changed_is_not_found() {
        store.create(SequenceDefinition.of("c"));
        assertThatThrownBy(() -> counters().rewrite("c", state -> {
                    store.drop("c");
                    return Optional.of(state.raisedTo(100));
                }))
                .isInstanceOf(NotFound.class);
    }

    @Test
    void a_counter_above_our_maximum_is_refused_and_not_pushed_on() {
        store.create(SequenceDefinition.of("known"));
        store.reserve("known", 1);
        for (String name : List.of("known", "unknown")) {
            ONE.put(prefix + name, "9223372036854775808");
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> store.reserve(name, 1))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("above the maximum 9223372036854775807");
            }
            assertThatThrownBy(() -> store.describe(name)).isInstanceOf(Misconfigured.class);
            assertThatThrownBy(() -> store.restart(name, 5)).isInstanceOf(Misconfigured.class);
        }
        assertThat(ONE.text(prefix + "unknown")).isEqualTo("9223372036854775808");
        assertThat(ONE.text(prefix + "known"))
                .as("at most the one attempt that discovered it")
                .isIn("9223372036854775808", "9223372036854775809");
    }

    @Test
    void a_counter_that_others_drove_around_is_refused() {
        store.create(SequenceDefinition.of("c"));
        store.reserve("c", 1);
        ONE.put(prefix + "c", "18446744073709551614");
        assertThatThrownBy(() -> store.reserve("c", 4))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("2^64-1");
    }

    @Test
    void it_is_raised_restarted_and_given_back_to_by_comparing() {
        store.create(SequenceDefinition.of("c"));
        store.raise("c", 100);
        store.raise("c", 50);
        Reservation drawn = store.reserve("c", 10);
        assertThat(drawn.block().first()).isEqualTo(100);
        assertThat(store.giveBack("c", new Block(105, 5, 1), drawn.epoch())).isTrue();
        assertThat(ONE.increment(prefix + "c")).isEqualTo(105);
        assertThat(store.giveBack("c", new Block(103, 2, 1), drawn.epoch())).isFalse();
        assertThat(store.restart("c", 1).epoch()).isZero();
        assertThat(ONE.increment(prefix + "c")).isEqualTo(1);
        assertThatThrownBy(() -> store.raise("c", 0)).isInstanceOf(Misconfigured.class);
    }

    @Test
    void it_is_raised_while_others_increment() {
        store.create(SequenceDefinition.of("c"));
        History history = new Crowd(4, 200).draw((thread, turn) -> {
            if (thread == 0 && turn % 20 == 0) {
                store.raise("c", store.describe("c").nextValue() + 500);
            }
            return new Block(ONE.increment(prefix + "c"), 1, 1);
        });
        assertThat(history.duplicates()).isZero();
        assertThat(history.orderViolations(true)).isZero();
        assertThat(history.largest()).isGreaterThan(9 * 500);
    }

    @Test
    void what_a_counter_has_no_room_for_is_refused() {
        List<SequenceDefinition> others = List.of(
                SequenceDefinition.named("c").incrementBy(2).build(),
                SequenceDefinition.named("c").incrementBy(-1).build(),
                SequenceDefinition.named("c").maxValue(10L).build(),
                SequenceDefinition.named("c").minValue(0L).build(),
                SequenceDefinition.named("c").cache(5).build(),
                SequenceDefinition.named("c").cycle(true).build());
        for (SequenceDefinition other : others) {
            assertThatThrownBy(() -> store.create(other))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("holds only the last value drawn");
        }
        assertThat(store.list()).isEmpty();
        store.create(SequenceDefinition.of("c"));
        assertThatThrownBy(
                        () -> store.alter("c", d -> d.toBuilder().maxValue(10L).build()))
                .isInstanceOf(Misconfigured.class);
        assertThat(store.alter("c", d -> d).nextValue()).isEqualTo(1);
    }
}
