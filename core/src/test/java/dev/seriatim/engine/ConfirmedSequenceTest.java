// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.ForwardingStore;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConfirmedSequenceTest {

    private final HookedStore store = new HookedStore().with("s");
    private final Queue<Block> lost = new ConcurrentLinkedQueue<>();
    private final StoreSequences sequences = StoreSequences.builder(store)
            .listener(new SequenceListener() {
                @Override
                public void lost(String sequence, Block values) {
                    lost.add(values);
                }
            })
            .build();
    private final Sequence sequence = sequences.open("s", Allocation.confirmed());

    /** Draws until the next draw is dealt from reserved values. */
    private long holdingValues() {
        long last = 0;
        while (store.memory.describe("s").nextValue() - last < 4) {
            last = sequence.next();
        }
        return last;
    }

    @Test
    void values_in_hand_are_dealt_after_a_read() {
        long last = holdingValues();
        int reservations = store.asked.size();
        int reads = store.reads.get();
        assertThat(sequence.next()).isEqualTo(last + 1);
        assertThat(sequence.next()).isEqualTo(last + 2);
        assertThat(store.asked).hasSize(reservations);
        assertThat(store.reads).hasValue(reads + 2);
    }

    @Test
    void a_read_that_found_no_connection_does_not_explain_a_reservation_that_hangs_in_the_store() throws Exception {
        try (StoreSequences impatient =
                StoreSequences.builder(store).patience(Duration.ofMillis(500)).build()) {
            Sequence own = impatient.open(created("own"), Allocation.confirmed());
            long last = 0;
            while (store.memory.describe("own").nextValue() - last < 4) {
                last = own.next();
            }
            store.read = (name, count) -> {
                throw new SequenceException.Overloaded(name, "no free connection", null);
            };
            Gate gate = new Gate();
            store.hook = gate;
            assertThatThrownBy(own::next)
                    .isInstanceOf(SequenceException.Unavailable.class)
                    .hasMessageContaining("no answer from the store");
            gate.open();
        }
    }

    @Test
    void callers_never_join_a_read_that_was_sent() throws Exception {
        long last = holdingValues();
        Semaphore answered = new Semaphore(0);
        Semaphore mayReturn = new Semaphore(0);
        store.read = (name, count) -> {
            answered.release();
            mayReturn.acquire();
        };
        CompletableFuture<Long> first = sequence.nextAsync().toCompletableFuture();
        assertThat(answered.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
        // The counter was read. Another process draws now, and these callers start even later:
        long elsewhere = store.memory.reserve("s", 1).block().first();
        List<CompletableFuture<Long>> later = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            later.add(sequence.nextAsync().toCompletableFuture());
        }
        mayReturn.release(100);
        assertThat(first.get(5, TimeUnit.SECONDS)).isEqualTo(last + 1);
        for (CompletableFuture<Long> one : later) {
            assertThat(one.get(5, TimeUnit.SECONDS)).isGreaterThan(elsewhere);
        }
    }

    @Test
    void once_another_session_has_drawn_the_rest_is_lost_and_nothing_is_reserved_ahead() {
        long last = holdingValues();
        long end = store.memory.describe("s").nextValue();
        long elsewhere = store.memory.reserve("s", 1).block().first();
        assertThat(sequence.next()).isEqualTo(elsewhere + 1);
        sequence.close(); // waits until what is lost has been reported; callers are woken first
        assertThat(lost).containsExactly(new Block(last + 1, end - last - 1, 1));
        assertThat(store.asked.get(store.asked.size() - 1)).isEqualTo(1);
    }

    @Test
    void a_counter_that_another_session_has_raised_confirms_nothing() {
        long last = holdingValues();
        store.memory.raise("s", last + 1_000_000);
        assertThat(sequence.next()).isEqualTo(last + 1_000_000);
    }

    @Test
    void a_restart_at_the_same_value_begins_another_epoch_and_confirms_nothing() {
        holdingValues();
        long due = store.memory.describe("s").nextValue();
        store.memory.restart("s", due);
        assertThat(sequence.next()).isEqualTo(due);
    }

    @Test
    void a_changed_definition_confirms_nothing() {
        long last = holdingValues();
        long due = store.memory.describe("s").nextValue();
        store.memory.alter(
                "s", definition -> definition.toBuilder().maxValue(last + 1_000).build());
        assertThat(sequence.next()).isEqualTo(due);
    }

    @Test
    void what_another_session_gives_back_whole_was_never_dealt() {
        long last = holdingValues();
        Reservation other = store.memory.reserve("s", 10);
        assertThat(store.memory.giveBack("s", other.block(), other.epoch())).isTrue();
        assertThat(sequence.next()).isEqualTo(last + 1);
        Reservation used = store.memory.reserve("s", 10);
        assertThat(store.memory.giveBack("s", used.block().tail(1), used.epoch()))
                .isTrue();
        assertThat(sequence.next()).isGreaterThan(used.block().first());
    }

    @Test
    void a_draw_that_is_not_committed_does_not_count_and_counts_once_it_is() {
        long last = holdingValues();
        long inside = store.memory.<Long, RuntimeException>inTransaction(transaction -> {
            long drawn = store.memory.reserve(transaction, "s", 1).block().first();
            assertThat(sequence.next()).isEqualTo(last + 1);
            return drawn;
        });
        assertThat(sequence.next()).isGreaterThan(inside);
    }

    @Test
    void pieces_are_dealt_whole_from_what_is_in_hand_and_what_is_reserved_behind_it() {
        long last = holdingValues();
        long inHand = store.memory.describe("s").nextValue() - last - 1;
        Block piece = sequence.next((int) inHand + 5);
        assertThat(piece.first()).isEqualTo(last + 1);
        assertThat(piece.count()).isEqualTo(inHand + 5);
        assertThat(lost).isEmpty();
    }

    @Test
    void the_last_values_are_dealt_before_the_sequence_is_exhausted() {
        store.memory.create(SequenceDefinition.named("short").maxValue(23L).build());
        Sequence ending = sequences.open("short", Allocation.confirmed());
        List<Long> drawn = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            drawn.add(ending.next());
        }
        ending.next(10).forEach(drawn::add);
        assertThat(drawn).hasSize(23).isSorted().endsWith(23L);
        assertThatThrownBy(ending::next).isInstanceOf(SequenceException.Exhausted.class);
        assertThat(lost).isEmpty();
    }

    @Test
    void no_more_is_reserved_ahead_than_was_asked_for() {
        Sequence bounded = sequences.open(created("bounded"), Allocation.confirmed(7));
        for (int i = 0; i < 200; i++) {
            long drawn = bounded.next();
            assertThat(store.memory.describe("bounded").nextValue() - drawn - 1).isLessThanOrEqualTo(7);
        }
    }

    @Test
    void closing_loses_what_is_in_hand_or_gives_it_back() {
        long last = holdingValues();
        long end = store.memory.describe("s").nextValue();
        sequence.close();
        assertThat(lost).containsExactly(new Block(last + 1, end - last - 1, 1));
        try (StoreSequences giving =
                StoreSequences.builder(store).giveBackOnClose(true).build()) {
            Sequence again = giving.open("s", Allocation.confirmed());
            long next = 0;
            for (int i = 0; i < 10; i++) {
                next = again.next();
            }
            assertThat(store.memory.describe("s").nextValue()).isGreaterThan(next + 1);
            again.close();
            assertThat(store.memory.describe("s").nextValue()).isEqualTo(next + 1);
        }
    }

    @Test
    void a_caller_reads_on_its_own_thread_where_the_store_can_and_the_executor_is_not_asked() {
        InMemoryStore memory = new InMemoryStore(Duration.ofMillis(1));
        memory.create(SequenceDefinition.of("s"));
        List<Thread> handed = new ArrayList<>();
        try (StoreSequences direct = StoreSequences.builder(memory)
                .executor(work -> {
                    Thread thread = new Thread(work);
                    handed.add(thread);
                    thread.start();
                })
                .build()) {
            Sequence ordered = direct.open("s", Allocation.confirmed());
            for (int i = 0; i < 1000; i++) {
                assertThat(ordered.next()).isEqualTo(i + 1);
            }
        }
        assertThat(handed).hasSizeLessThan(20);
    }

    /** A store that can read on callers' threads, and says which did. */
    private static final class Here extends ForwardingStore<InMemoryStore> {
        private final Queue<Thread> readers = new ConcurrentLinkedQueue<>();
        private final Queue<Duration> limits = new ConcurrentLinkedQueue<>();

        Here() {
            super(new InMemoryStore());
            behind.create(SequenceDefinition.of("s"));
        }

        @Override
        public Optional<SequenceState> readHere(String name, Duration atMost) {
            readers.add(Thread.currentThread());
            limits.add(atMost);
            return behind.readHere(name, atMost);
        }
    }

    @Test
    void a_read_on_a_callers_thread_lasts_as_long_as_its_patience_and_a_second_at_most() {
        for (Duration patience : List.of(Duration.ofSeconds(30), Duration.ofMillis(900))) {
            Here here = new Here();
            try (StoreSequences direct =
                    StoreSequences.builder(here).patience(patience).build()) {
                Sequence ordered = direct.open("s", Allocation.confirmed());
                for (int i = 0; i < 20; i++) {
                    ordered.next();
                }
            }
            assertThat(here.limits)
                    .isNotEmpty()
                    .containsOnly(patience.toSeconds() > 1 ? Duration.ofSeconds(1) : patience);
        }
    }

    @Test
    void a_virtual_thread_leaves_the_read_to_the_executor() throws Exception {
        Here here = new Here();
        try (StoreSequences direct = StoreSequences.of(here)) {
            Sequence ordered = direct.open("s", Allocation.confirmed());
            FutureTask<Void> caller = new FutureTask<>(() -> {
                for (int i = 0; i < 20; i++) {
                    assertThat(ordered.next()).isEqualTo(i + 1);
                }
                return null;
            });
            OnVirtualThread.start(caller);
            caller.get();
        }
        assertThat(here.readers).isEmpty();
    }

    /** A store that says whether its reads are linearizable, perhaps after a while. */
    private static final class Asked extends ForwardingStore<InMemoryStore> {
        private volatile Optional<String> why = Optional.empty();
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch answers = new CountDownLatch(1);

        Asked() {
            super(new InMemoryStore());
            behind.create(SequenceDefinition.of("s"));
            behind.create(SequenceDefinition.of("other"));
        }

        @Override
        public Optional<String> whyNotConfirmed() {
            asked.countDown();
            try {
                assertThat(answers.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return why;
        }
    }

    @Test
    void a_store_that_takes_its_time_to_say_whether_it_confirms_holds_up_no_other_sequence() throws Exception {
        Asked store = new Asked();
        try (StoreSequences direct = StoreSequences.of(store)) {
            FutureTask<Long> caller = new FutureTask<>(
                    () -> direct.open("s", Allocation.confirmed()).next());
            new Thread(caller).start();
            store.asked.await();
            FutureTask<Long> other = new FutureTask<>(
                    () -> direct.open("other", Allocation.combined()).next());
            new Thread(other).start();
            assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(caller.isDone()).isFalse();
            store.answers.countDown();
            assertThat(caller.get(20, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void ordered_returns_what_is_open_whatever_the_store_says_meanwhile() {
        Asked store = new Asked();
        store.answers.countDown();
        try (StoreSequences direct = StoreSequences.of(store)) {
            Sequence confirmed = direct.ordered("s");
            store.why = Optional.of("a standby answers");
            assertThat(direct.ordered("s")).isSameAs(confirmed);
            Sequence combined = direct.ordered("other");
            store.why = Optional.empty();
            assertThat(direct.ordered("other")).isSameAs(combined);
            assertThat(direct.open("other", Allocation.combined())).isSameAs(combined);
        }
    }

    @Test
    void an_interrupted_caller_and_one_that_waits_for_a_future_leave_the_read_to_the_executor() {
        Here here = new Here();
        try (StoreSequences direct = StoreSequences.of(here)) {
            Sequence ordered = direct.open("s", Allocation.confirmed());
            for (int i = 0; i < 20; i++) {
                ordered.next();
            }
            assertThat(here.readers).isNotEmpty().containsOnly(Thread.currentThread());
            here.readers.clear();
            assertThat(ordered.nextAsync().toCompletableFuture().join()).isEqualTo(21);
            Thread.currentThread().interrupt();
            try {
                ordered.next();
            } catch (SequenceException.Unavailable e) {
                assertThat(e).hasMessageContaining("interrupted");
            }
            assertThat(Thread.interrupted()).isTrue();
            assertThat(here.readers).isEmpty();
            assertThat(ordered.next()).isGreaterThan(21);
        }
    }

    @Test
    void a_read_that_hangs_holds_no_caller_beyond_its_patience_and_the_next_one_is_sent() throws Exception {
        try (StoreSequences impatient =
                StoreSequences.builder(store).patience(Duration.ofMillis(1500)).build()) {
            Sequence ordered = impatient.open(created("h"), Allocation.confirmed());
            long last = 0;
            for (int i = 0; i < 20; i++) {
                last = ordered.next();
            }
            Semaphore hangs = new Semaphore(0);
            store.read = (name, count) -> {
                store.read = (other, any) -> {};
                hangs.acquire(); // this one alone
            };
            long began = System.nanoTime();
            assertThatThrownBy(ordered::next)
                    .isInstanceOf(SequenceException.Unavailable.class)
                    .hasMessageContaining("no answer from the store within 1500 ms");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(6));
            assertThat(ordered.next()).isGreaterThan(last);
            hangs.release(10); // what was abandoned changes nothing when it answers
            for (int i = 0; i < 20; i++) {
                long next = ordered.next();
                assertThat(next).isGreaterThan(last);
                last = next;
            }
        }
    }

    @Test
    void ordered_takes_it_where_the_store_has_it_and_combined_where_not() {
        try (StoreSequences confirming = StoreSequences.of(store)) {
            confirming.ordered("s");
            assertThat(confirming.open("s", Allocation.confirmed())).isNotNull();
        }
        SequenceStore without = (name, count) -> store.reserve(name, count);
        try (StoreSequences combining = StoreSequences.of(without)) {
            assertThatThrownBy(() -> combining.open("s", Allocation.confirmed()))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("'s'")
                    .hasMessageContaining("CONFIRMED")
                    .hasMessageContaining("use COMBINED");
            combining.ordered("s");
            assertThat(combining.open("s", Allocation.combined())).isNotNull();
        }
    }

    @Test
    void beside_a_session_that_draws_often_it_hardly_reserves_ahead() {
        int draws = 400;
        for (int i = 0; i < draws; i++) {
            store.memory.reserve("s", 1);
            sequence.next();
        }
        assertThat(store.asked).hasSize(draws);
        assertThat(store.reads.get()).isZero(); // no two reservations ever followed one another
        for (int i = 0; i < draws; i++) { // two follow one another, and then another session draws
            sequence.next();
            sequence.next();
            sequence.next();
            store.memory.reserve("s", 1);
        }
        assertThat(lost).hasSizeLessThan(draws / 4);
    }

    @Test
    void zero_values_ahead_are_refused() {
        assertThatThrownBy(() -> Allocation.confirmed(0)).isInstanceOf(SequenceException.Misconfigured.class);
    }

    private String created(String name) {
        store.memory.create(SequenceDefinition.of(name));
        return name;
    }
}
