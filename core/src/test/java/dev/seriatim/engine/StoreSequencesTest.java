// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.memory.InMemorySequences;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.memory.InMemoryTransaction;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.striped.Striping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sequences by guarantee, and the creation of missing ones. */
@Timeout(60)
class StoreSequencesTest {

    private final InMemoryStore store = new InMemoryStore();

    @Test
    void every_guarantee_opens_what_is_missing_and_goes_on_the_second_time() {
        for (int run = 0; run < 2; run++) {
            try (InMemorySequences sequences =
                    InMemorySequences.over(store, settings -> settings.giveBackOnClose(true))) {
                Sequence orders = sequences.unique("order");
                Sequence tickets = sequences.ordered("ticket");
                GaplessSequence<InMemoryTransaction> invoices = sequences.gapless("invoice");
                assertThat(orders.next()).isEqualTo(run + 1);
                assertThat(tickets.next()).isEqualTo(run + 1);
                assertThat(sequences.<Long, RuntimeException>inTransaction(invoices::next))
                        .isEqualTo(2 * run + 1);
                assertThat(invoices.grouped().<Long, RuntimeException>commit(Turn::next))
                        .isEqualTo(2 * run + 2);
                assertThat(sequences.<Long, RuntimeException>inTransaction(
                                sequences.gapless("slip").pooled()::next))
                        .isEqualTo(run + 1);
            }
        }
    }

    @Test
    void open_sequences_are_listed_with_their_mode_and_the_values_in_hand() {
        try (InMemorySequences sequences = InMemorySequences.over(store, settings -> {})) {
            sequences.define(SequenceDefinition.of("batch"));
            Sequence batch = sequences.open("batch", Allocation.batch(1000));
            assertThat(sequences.opened()).containsExactly(new OpenSequence("batch", "BATCH", 0));
            for (int i = 0; i < 100; i++) {
                batch.next();
            }
            assertThat(sequences.opened()).containsExactly(new OpenSequence("batch", "BATCH", 900));

            sequences.open("ahead", Allocation.asyncBatch(10, 5));
            sequences.ordered("ticket").next();
            sequences.gapless("invoice").grouped();
            sequences.gapless("slip").pooled();
            assertThat(sequences.opened())
                    .extracting(OpenSequence::name, OpenSequence::mode)
                    .containsExactly(
                            tuple("ahead", "ASYNC_BATCH"),
                            tuple("batch", "BATCH"),
                            tuple("invoice", "GROUPED"),
                            tuple("slip", "POOLED"),
                            tuple("ticket", "CONFIRMED"));
            batch.close();
            assertThat(sequences.opened()).extracting(OpenSequence::name).doesNotContain("batch");
        }
    }

    @Test
    void a_rollback_takes_gapless_numbers_back() {
        try (InMemorySequences sequences = InMemorySequences.over(store, settings -> {})) {
            GaplessSequence<InMemoryTransaction> invoices = sequences.gapless("invoice");
            assertThat(invoices).hasToString("SYNC 'invoice'");
            assertThatThrownBy(() -> sequences.inTransaction(transaction -> {
                        assertThat(invoices.next(transaction, 3).toList()).containsExactly(1L, 2L, 3L);
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            assertThat(sequences.<Long, RuntimeException>inTransaction(
                            transaction -> invoices.within(transaction).next()))
                    .isEqualTo(1);
        }
    }

    @Test
    void a_last_step_ends_a_transaction_of_its_caller_only() {
        try (InMemorySequences sequences = InMemorySequences.over(store, settings -> {})) {
            GaplessSequence<InMemoryTransaction> invoices = sequences.gapless("invoice");
            GaplessSequence<InMemoryTransaction> others = sequences.gapless("other");
            sequences.inTransaction(transaction -> {
                assertThat(invoices.last(transaction, number -> {})).isEqualTo(1);
                assertThat(sequences.<Long, RuntimeException>inTransaction(invoices::next))
                        .isEqualTo(2);
                assertThatThrownBy(() -> invoices.last(transaction, number -> {}))
                        .hasMessageContaining("the transaction has ended");
                return true;
            });
            assertThat(invoices.grouped().<Long, RuntimeException>commit(turn -> {
                        assertThatThrownBy(() -> others.last(turn.transaction(), number -> {}))
                                .isInstanceOf(SequenceException.Misconfigured.class)
                                .hasMessageContaining("draw with next");
                        return turn.next();
                    }))
                    .isEqualTo(3);
            assertThat(sequences.<Long, RuntimeException>inTransaction(others::next))
                    .isEqualTo(1);
        }
    }

    @Test
    void a_sequence_that_is_open_in_a_mode_that_leaves_gaps_is_not_opened_as_gapless_before_it_is_closed() {
        try (StoreSequences sequences =
                StoreSequences.builder(store).createMissing(true).build()) {
            Sequence unique = sequences.unique("s");
            for (Callable<?> gapless : List.<Callable<?>>of(
                    () -> sequences.gapless("s", store),
                    () -> sequences.grouped("s", store),
                    () -> sequences.pooled("s", store))) {
                assertThatThrownBy(gapless::call)
                        .isInstanceOf(SequenceException.Misconfigured.class)
                        .hasMessage(
                                "sequence 's': already open as Adaptive[minBlock=10, maxBlock=1000000, maxAhead=4], which leaves"
                                        + " gaps; use another sequence for gapless numbers, or close that one first");
            }
            unique.close();
            assertThat(store.<Long, RuntimeException>inTransaction(sequences.gapless("s", store)::next))
                    .isEqualTo(1);
        }
    }

    @Test
    void a_sequence_that_is_open_as_gapless_is_not_opened_in_a_mode_that_leaves_gaps() {
        try (StoreSequences sequences =
                StoreSequences.builder(store).createMissing(true).build()) {
            GroupedSequence<InMemoryTransaction> grouped =
                    sequences.gapless("sync", store).grouped();
            sequences.grouped("grouped", store);
            sequences.pooled("pooled", store);
            for (String name : List.of("sync", "grouped", "pooled")) {
                for (Callable<?> leavesGaps : List.<Callable<?>>of(
                        () -> sequences.unique(name),
                        () -> sequences.ordered(name),
                        () -> sequences.open(name, Allocation.combined()))) {
                    assertThatThrownBy(leavesGaps::call)
                            .isInstanceOf(SequenceException.Misconfigured.class)
                            .hasMessageStartingWith("sequence '" + name + "': already open as gapless, and ")
                            .hasMessageEndingWith(" would leave gaps; use another sequence");
                }
            }
            grouped.close();
            assertThatThrownBy(() -> sequences.unique("sync"))
                    .as("SYNC still draws from it")
                    .isInstanceOf(SequenceException.Misconfigured.class);
            sequences.grouped("grouped", store).close();
            assertThat(sequences.unique("grouped").next()).isEqualTo(1);
        }
    }

    @Test
    void ordered_returns_what_is_open_if_that_is_ordered() {
        try (InMemorySequences sequences = InMemorySequences.over(store, settings -> {})) {
            for (Allocation ordered : List.of(
                    Allocation.confirmed(10), Allocation.confirmed(), Allocation.combined(), Allocation.async())) {
                try (Sequence open = sequences.open("s", ordered)) {
                    assertThat(sequences.ordered("s")).as("%s", ordered).isSameAs(open);
                }
            }
            sequences.unique("s");
            assertThatThrownBy(() -> sequences.ordered("s"))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("already open as Adaptive");
        }
    }

    @Test
    void what_is_missing_is_left_alone_where_that_is_switched_off() {
        try (InMemorySequences sequences = InMemorySequences.over(store, settings -> settings.createMissing(false))) {
            assertThatThrownBy(() -> sequences.unique("s").next()).isInstanceOf(SequenceException.NotFound.class);
            assertThatThrownBy(() -> sequences.inTransaction(sequences.gapless("t")::next))
                    .isInstanceOf(SequenceException.NotFound.class);
        }
        try (StoreSequences sequences = StoreSequences.of(store)) {
            assertThatThrownBy(() -> sequences.open("s", Allocation.batch()).next())
                    .isInstanceOf(SequenceException.NotFound.class);
        }
        assertThat(store.list()).isEmpty();
    }

    @Test
    void a_sequence_that_is_there_stays_as_it_is() {
        store.create(
                SequenceDefinition.named("s").startWith(100L).incrementBy(10).build());
        try (InMemorySequences sequences = InMemorySequences.over(store, settings -> {})) {
            assertThat(sequences.define(SequenceDefinition.of("s"))).isFalse();
            assertThat(sequences.ordered("s").next()).isEqualTo(100);
            assertThat(sequences.define(
                            SequenceDefinition.named("t").startWith(7L).build()))
                    .isTrue();
            assertThat(sequences.ordered("t").next()).isEqualTo(7);
        }
    }

    /** Otherwise, it would start over and deal the same values again. */
    @Test
    void a_sequence_that_is_dropped_is_not_made_again_by_those_who_had_it_open() {
        try (InMemorySequences sequences = InMemorySequences.over(store, settings -> {})) {
            Sequence tickets = sequences.ordered("ticket");
            assertThat(tickets.next()).isEqualTo(1);
            store.drop("ticket");
            assertThatThrownBy(tickets::next).isInstanceOf(SequenceException.NotFound.class);
            tickets.close();
            Sequence anew = sequences.ordered("ticket");
            assertThatThrownBy(anew::next).isInstanceOf(SequenceException.NotFound.class);
        }
    }

    @Test
    void many_open_the_same_missing_sequence_at_a_time() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 200; round++) {
                InMemoryStore fresh = new InMemoryStore();
                Callable<Long> opening = () -> {
                    try (InMemorySequences sequences = InMemorySequences.over(fresh, settings -> {})) {
                        return sequences.ordered("s").next();
                    }
                };
                long sum = 0;
                for (Future<Long> drawn : threads.invokeAll(List.of(opening, opening, opening, opening))) {
                    sum += drawn.get();
                }
                assertThat(sum).isEqualTo(1 + 2 + 3 + 4);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_striped_sequence_is_made_as_a_whole() {
        try (StoreSequences sequences =
                StoreSequences.builder(store).createMissing(true).build()) {
            Striping striping = new Striping("hot", 4);
            sequences.striped(striping, Allocation.batch(1)).next();
            assertThat(striping.describe(store).min()).isEqualTo(1);
        }
    }

    @Test
    void a_store_that_spreads_its_numbers_keeps_no_order() {
        try (StoreSequences sequences = StoreSequences.of(new Spreading())) {
            assertThatThrownBy(() -> sequences.ordered("s"))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessage(
                            "sequence 's': the spreading store distributes its numbers, so none of its modes is ordered; use"
                                    + " unique, or the library's own table");
            assertThatThrownBy(() -> sequences.define(SequenceDefinition.of("s")))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessage(
                            "sequence 's': the spreading store has no catalogue, so sequences cannot be created through it;"
                                    + " create them in the database");
        }
    }

    @Test
    void nothing_is_made_or_drawn_once_they_are_closed() {
        InMemorySequences sequences =
                InMemorySequences.over(store, settings -> settings.patience(Duration.ofSeconds(1)));
        GaplessSequence<InMemoryTransaction> invoices = sequences.gapless("invoice");
        sequences.close();
        for (Callable<?> late : List.<Callable<?>>of(
                () -> sequences.unique("late"),
                () -> sequences.ordered("late"),
                () -> sequences.gapless("late"),
                () -> sequences.define(SequenceDefinition.of("late")),
                () -> store.inTransaction(invoices::next),
                () -> store.inTransaction(transaction -> invoices.next(transaction, 2)),
                () -> store.inTransaction(transaction -> invoices.last(transaction, number -> {})),
                () -> store.inTransaction(invoices::within),
                invoices::grouped,
                invoices::pooled)) {
            assertThatThrownBy(late::call)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("these sequences are closed");
        }
        assertThat(store.list()).hasSize(1);
    }

    /** Otherwise, no one could close it. */
    @Test
    void settings_that_are_refused_open_no_store() {
        List<String> calls = new ArrayList<>();
        Function<Duration, Recorded> opening = patience -> {
            calls.add("open");
            throw new IllegalStateException("not to be opened");
        };
        for (boolean owned : List.of(true, false)) {
            assertThatThrownBy(() -> new Opened(opening, owned, settings -> settings.patience(Duration.ZERO)))
                    .isInstanceOf(SequenceException.Misconfigured.class);
            assertThatThrownBy(() -> new Opened(opening, owned, settings -> {
                        throw new StackOverflowError("of the settings");
                    }))
                    .isInstanceOf(StackOverflowError.class);
        }
        assertThat(calls).isEmpty();
    }

    @Test
    void a_url_is_enough() {
        try (StoreSequences sequences = StoreSequences.open("memory:")) {
            assertThat(sequences.unique("s").next()).isEqualTo(1);
        }
    }

    private interface Recorded extends OpenStore, GaplessStore<InMemoryTransaction> {}

    private static final class Opened extends TransactionalSequences<InMemoryTransaction, Recorded> {
        Opened(Function<Duration, Recorded> opening, boolean owned, Consumer<StoreSequences.Builder> settings) {
            super(opening, owned, settings);
        }
    }

    private static final class Spreading implements SequenceStore {
        @Override
        public boolean ordered() {
            return false;
        }

        @Override
        public Reservation reserve(String name, long count) {
            throw new SequenceException.NotFound(name, toString());
        }

        @Override
        public String toString() {
            return "the spreading store";
        }
    }
}
