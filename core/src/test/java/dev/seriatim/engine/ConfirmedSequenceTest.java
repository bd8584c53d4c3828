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
    void a_counter_that_another_session_has_raised_confirms_nothing() {
        long last = holdingValues();
        store.memory.raise("s", last + 1_000_000);
        assertThat(sequence.next()).isEqualTo(last + 1_000_000);
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
    void no_more_is_reserved_ahead_than_was_asked_for() {
        Sequence bounded = sequences.open(created("bounded"), Allocation.confirmed(7));
        for (int i = 0; i < 200; i++) {
            long drawn = bounded.next();
            assertThat(store.memory.describe("bounded").nextValue() - drawn - 1).isLessThanOrEqualTo(7);
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
