// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.striped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.store.SequenceState;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripingTest {

    private final InMemoryStore store = new InMemoryStore();

    private static SequenceDefinition.Builder orders() {
        return SequenceDefinition.named("orders");
    }

    private static void addAll(Set<Long> values, Striping striping, int stripe, SequenceDefinition counter) {
        SequenceState.fresh(counter, 0)
                .take(1_000_000)
                .reservation()
                .block()
                .values()
                .forEach(value ->
                        assertThat(values.add(striping.value(value, stripe))).isTrue());
    }

    private static Set<Long> dealtTogether(Striping striping, SequenceDefinition definition) {
        TreeSet<Long> values = new TreeSet<>();
        List<SequenceDefinition> counters = striping.counters(definition);
        for (int stripe = 0; stripe < counters.size(); stripe++) {
            addAll(values, striping, stripe, counters.get(stripe));
        }
        return values;
    }

    private static Set<Long> dealtAlone(SequenceDefinition definition) {
        TreeSet<Long> values = new TreeSet<>();
        addAll(values, new Striping(definition.name(), 1), 0, definition);
        return values;
    }

    @Test
    void deals_exactly_the_values_of_its_definition() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int striped = 0;
        for (int round = 0; round < 3_000; round++) {
            int low = random.nextInt(100) - 50;
            int size = 1 + random.nextInt(200);
            int step = 1 + random.nextInt(5);
            SequenceDefinition definition = orders().minValue(low)
                    .maxValue(low + size - 1L)
                    .startWith(low + random.nextInt(size))
                    .incrementBy(random.nextBoolean() ? step : -step)
                    .build();
            Striping striping = new Striping("orders", 1 + random.nextInt(9));
            Set<Long> expected = dealtAlone(definition);
            try {
                assertThat(dealtTogether(striping, definition))
                        .as("seed %d, %s, %s", seed, striping, definition)
                        .isEqualTo(expected);
                striped++;
            } catch (SequenceException.Misconfigured refused) {
                assertThat(refused).hasMessageMatching(".*(share a factor|fewer values from).*");
                assertThat(expected.size() < striping.stripes()
                                || BigInteger.valueOf(definition.increment())
                                                .gcd(BigInteger.valueOf(striping.stripes()))
                                                .intValue()
                                        > 1)
                        .isTrue();
            }
        }
        assertThat(striped).isGreaterThan(1000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 255, 256})
    void reaches_both_ends_of_64_bits_and_not_beyond(int stripes) {
        Striping striping = new Striping("orders", stripes);
        for (long increment : new long[] {1, -1}) {
            SequenceDefinition all = orders().minValue(Long.MIN_VALUE)
                    .maxValue(Long.MAX_VALUE)
                    .incrementBy(increment)
                    .build();
            BigInteger values = BigInteger.ZERO;
            TreeSet<Long> firsts = new TreeSet<>();
            TreeSet<Long> lasts = new TreeSet<>();
            for (int stripe = 0; stripe < stripes; stripe++) {
                SequenceDefinition counter = striping.counters(all).get(stripe);
                values = values.add(SequenceState.fresh(counter, 0).valuesLeft());
                firsts.add(striping.value(counter.min(), stripe));
                lasts.add(striping.value(counter.max(), stripe));
                assertThat(counter.start()).isEqualTo(increment > 0 ? counter.min() : counter.max());
            }
            assertThat(values).isEqualTo(BigInteger.ONE.shiftLeft(64));
            assertThat(firsts).hasSize(stripes).contains(Long.MIN_VALUE);
            assertThat(firsts.last()).isEqualTo(Long.MIN_VALUE + stripes - 1);
            assertThat(lasts).hasSize(stripes).contains(Long.MAX_VALUE);
            assertThat(lasts.first()).isEqualTo(Long.MAX_VALUE - stripes + 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3074457345618258602, 1, 9223372036854775807",
        "-3074457345618258603, 1, -9223372036854775808",
        "-1, 2, -1",
        "0, 2, 2",
    })
    void computes_values_at_the_ends_exactly(long counter, int stripe, long value) {
        assertThat(new Striping("orders", 3).value(counter, stripe)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"3074457345618258602, 2", "-3074457345618258603, 0", "9223372036854775807, 0", "-9223372036854775808, 2"
    })
    void refuses_values_beyond_64_bits(long counter, int stripe) {
        assertThatThrownBy(() -> new Striping("orders", 3).value(counter, stripe))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll("'orders'", String.valueOf(counter), "'orders_" + stripe + "_of_3'");
    }

    @Test
    void names_counters_by_stripe_and_number_of_stripes() {
        Striping striping = new Striping("orders", 12);
        assertThat(striping.counter(0)).isEqualTo("orders_0_of_12");
        assertThat(striping.counter(11)).isEqualTo("orders_11_of_12");
        assertThatThrownBy(() -> striping.counter(12)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> striping.counter(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void leaves_room_for_the_counters_in_the_name() {
        assertThat(new Striping("ö".repeat(57), 8).counter(7)).hasSize(64);
        assertThatThrownBy(() -> new Striping("ö".repeat(58), 8))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("with 8 stripes", "at most 57 characters", "'…_7_of_8'");
        assertThatThrownBy(() -> new Striping("", 8)).hasMessageContaining("must not be empty");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 257, Integer.MAX_VALUE})
    void refuses_too_few_and_too_many_stripes(int stripes) {
        assertThatThrownBy(() -> new Striping("orders", stripes))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("'orders'", "1 to 256 stripes, not " + stripes);
    }

    @Test
    void refuses_definitions_that_cannot_be_spread_evenly() {
        Striping four = new Striping("orders", 4);
        assertThatThrownBy(() -> four.counters(orders().incrementBy(10).build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("increment 10 and 4 stripes share a factor", "another number of stripes");
        assertThatThrownBy(() -> four.counters(orders().cycle(true).build())).hasMessageContaining("cannot cycle");
        assertThatThrownBy(() -> four.counters(orders().maxValue(3L).build()))
                .hasMessageContaining("than the 4 stripes");
        assertThatThrownBy(() -> four.counters(SequenceDefinition.of("others"))).hasMessageContaining("'others'");
        SequenceDefinition wide = orders().minValue(Long.MIN_VALUE)
                .maxValue(Long.MAX_VALUE)
                .incrementBy((1L << 62) + 1)
                .build();
        assertThatThrownBy(() -> new Striping("orders", 3).counters(wide)).hasMessageContaining("exceeds 64 bits");
    }

    @Test
    void creates_describes_and_drops_all_counters() {
        Striping striping = new Striping("orders", 3);
        assertThatThrownBy(() -> striping.describe(store))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContainingAll("'orders'", "3 stripes");
        striping.create(
                store,
                orders().minValue(10L).maxValue(29L).startWith(12L).cache(5).build());
        assertThat(store.list()).hasSize(3).allMatch(state -> state.definition().cache() == 5);
        Striping.State state = striping.describe(store);
        assertThat(state.min()).isEqualTo(10);
        assertThat(state.max()).isEqualTo(29);
        assertThat(state.valuesLeft()).isEqualTo(18);
        assertThatThrownBy(() -> striping.create(store, SequenceDefinition.of("orders")))
                .isInstanceOf(SequenceException.AlreadyExists.class)
                .hasMessageContainingAll("'orders'", "3 stripes");
        striping.drop(store);
        assertThat(store.list()).isEmpty();
        assertThatThrownBy(() -> striping.drop(store))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContaining("list shows")
                .hasMessageNotContaining("create it");
    }

    @Test
    void keeps_its_bounds_inside_64_bits_whatever_its_counters_allow() {
        Striping striping = new Striping("orders", 2);
        SequenceDefinition.Builder wide =
                SequenceDefinition.named(striping.counter(0)).minValue(Long.MIN_VALUE);
        store.create(wide.startWith(1L).build());
        store.create(SequenceDefinition.of(striping.counter(1)));
        assertThat(striping.describe(store).min()).isEqualTo(Long.MIN_VALUE);
        assertThat(striping.describe(store).max()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> new Striping.State(striping, List.of()))
                .hasMessageContaining("does not have 0 counters");
    }

    @Test
    void completes_what_a_crash_left_of_its_creation_and_of_its_removal() {
        Striping striping = new Striping("orders", 4);
        SequenceDefinition definition = orders().cache(7).build();
        store.create(striping.counters(definition).get(0));
        store.create(striping.counters(definition).get(1));
        striping.create(store, definition);
        assertThat(striping.describe(store).counters()).hasSize(4);
        store.drop(striping.counter(3));
        striping.drop(store);
        assertThat(store.list()).isEmpty();
    }

    @Test
    void completes_nothing_beside_counters_of_another_kind_or_in_use() {
        Striping striping = new Striping("orders", 2);
        SequenceDefinition definition = SequenceDefinition.of("orders");
        striping.create(store, definition);
        store.drop(striping.counter(1));
        assertThatThrownBy(() -> striping.create(store, orders().startWith(100L).build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("'orders'", "only some of its 2 counters", "another definition");
        store.reserve(striping.counter(0), 1);
        assertThatThrownBy(() -> striping.create(store, definition))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("has dealt already", "drop them all");
        assertThat(store.list()).hasSize(1);
    }
}
