// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.Block;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PooledSequenceTest {

    /** Callers that wait for each other must not share threads. */
    private static final Executor OWN_THREADS = task -> new Thread(task).start();

    private static final Duration PATIENCE = Duration.ofMillis(400);

    /** With this patience, a caller waits a second before it draws from the counter. */
    private static final Duration UNHURRIED = Duration.ofSeconds(30);

    private final HookedPools store = new HookedPools();
    private final List<StoreSequences> opened = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        opened.forEach(StoreSequences::close);
    }

    @Test
    void opening_it_again_gives_the_same_one_until_it_is_closed() {
        StoreSequences sequences = sequences(UNHURRIED);
        PooledSequence<InMemoryTransaction> first = sequences.pooled("s", store);
        assertThat(sequences.pooled("s", store)).isSameAs(first).hasToString("POOLED 's'");
        assertThatThrownBy(() -> sequences.pooled("s", store.memory))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("already pooled");
        first.close();
        assertThatThrownBy(() -> store.drawn(first))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'s' is closed");
        assertThat(store.drawn(sequences.pooled("s", store))).isEqualTo(1);
        sequences.close();
        assertThatThrownBy(() -> sequences.pooled("s", store)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void the_first_numbers_are_laid_out_before_anybody_asks() {
        PooledSequence<InMemoryTransaction> pooled = pooled(UNHURRIED);
        await(() -> store.memory.poolState("s").isPresent());
        store.before = count -> end.await();
        assertThat(store.drawn(pooled)).isEqualTo(1);
    }

    @Test
    void more_is_laid_out_before_what_is_left_runs_out() {
        PooledSequence<InMemoryTransaction> pooled = pooled(UNHURRIED);
        await(() -> store.memory.poolState("s").isPresent());
        for (int i = 0; i < 40; i++) {
            store.drawn(pooled);
        }
        await(() -> store.memory.poolState("s").orElseThrow().count() > 64);
        assertThat(store.asked).allMatch(count -> count >= 64 && count <= 10_000);
    }

    @Test
    void nobody_goes_to_the_pool_while_nothing_is_known_to_be_in_it() {
        CountDownLatch go = new CountDownLatch(1);
        store.before = count -> go.await();
        PooledSequence<InMemoryTransaction> pooled = pooled(Duration.ofSeconds(10));
        List<CompletableFuture<Long>> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            callers.add(CompletableFuture.supplyAsync(() -> store.drawn(pooled), OWN_THREADS));
        }
        go.countDown();
        assertThat(callers.stream().map(CompletableFuture::join))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 8).boxed().toList());
    }

    @Test
    void who_finds_no_number_while_none_can_be_laid_out_draws_from_the_counter() {
        PooledSequence<InMemoryTransaction> pooled = pooled(UNHURRIED);
        await(() -> store.memory.poolState("s").isPresent());
        CountDownLatch go = new CountDownLatch(1);
        store.before = count -> go.await();
        List<Long> numbers = store.memory.inTransaction(t -> pooled.next(t, 100).toList());
        assertThat(numbers)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 100).boxed().toList());
        go.countDown();
        assertThat(store.drawn(pooled)).isEqualTo(101);
    }

    @Test
    void a_store_that_is_down_is_named_and_the_next_call_tries_again() {
        store.before = count -> {
            throw new SequenceException.Unavailable("s", "connection refused; start the server", null);
        };
        PooledSequence<InMemoryTransaction> pooled = pooled(UNHURRIED);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> store.drawn(pooled))
                    .isInstanceOf(SequenceException.Unavailable.class)
                    .hasMessageContainingAll("'s'", "connection refused");
        }
        store.before = count -> {};
        assertThat(store.drawn(pooled)).isEqualTo(1);
    }

    @Test
    void a_lost_answer_is_no_callers_business_and_what_was_laid_out_is_found() {
        PooledSequence<InMemoryTransaction> pooled = pooled(Duration.ofSeconds(5));
        await(() -> store.memory.poolState("s").isPresent());
        List<Integer> lost = new ArrayList<>();
        store.after = count -> {
            if (lost.isEmpty()) {
                lost.add(1);
                throw new SequenceException.CommitOutcomeUnknown("s", null);
            }
        };
        List<Long> numbers = store.memory.inTransaction(t -> pooled.next(t, 300).toList());
        assertThat(numbers)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 300).boxed().toList());
        assertThat(lost).hasSize(1);
    }

    @Test
    void a_transaction_that_cannot_see_what_was_laid_out_is_told_to_begin_anew() {
        PooledSequence<InMemoryTransaction> pooled = pooled(UNHURRIED);
        assertThat(store.drawn(pooled)).isEqualTo(1);
        store.blind = true;
        assertThatThrownBy(() -> store.drawn(pooled))
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContainingAll("invisible", "roll back and retry", "READ COMMITTED");
        store.blind = false;
        assertThat(store.drawn(pooled)).isEqualTo(2);
    }

    @Test
    void nobody_waits_longer_than_patience_when_the_counter_is_locked_too() {
        CountDownLatch hung = new CountDownLatch(1);
        store.before = count -> {
            hung.countDown();
            end.await();
        };
        PooledSequence<InMemoryTransaction> pooled = pooled(Duration.ofSeconds(4));
        await(() -> hung.getCount() == 0);
        long began = System.nanoTime();
        assertThat(store.drawn(pooled)).isEqualTo(1); // after a second, from the counter
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isBetween(950L, 4000L);
    }

    @Test
    void the_last_numbers_that_a_rollback_puts_back_are_dealt_at_once_although_it_pauses() {
        endAtThree();
        PooledSequence<InMemoryTransaction> pooled = pooled(Duration.ofMillis(50));
        assertThatThrownBy(() -> store.memory.inTransaction(holder -> {
                    takeAllThree(holder);
                    await(() -> String.valueOf(catchThrowable(() -> store.drawn(pooled)))
                            .contains("its last numbers are held"));
                    for (int i = 0; i < 12; i++) { // the pause before the next attempt grows each time
                        assertThatThrownBy(() -> store.drawn(pooled))
                                .isInstanceOf(SequenceException.Overloaded.class)
                                .hasMessageContaining("its last numbers are held");
                    }
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        assertThat(store.drawn(pooled)).isEqualTo(1);
    }

    @Test
    void numbers_that_a_rollback_puts_back_are_found_where_nobody_can_lay_out() {
        endAtThree();
        PooledSequence<InMemoryTransaction> pooled = pooled(PATIENCE);
        assertThatThrownBy(() -> store.memory.inTransaction(holder -> {
                    assertThat(pooled.next(holder, 3)).hasSize(3);
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        store.before = count -> end.await();
        for (long number = 1; number <= 3; number++) {
            assertThat(store.drawn(pooled)).isEqualTo(number);
        }
    }

    @Test
    void nobody_hears_that_all_are_dealt_while_a_transaction_holds_the_last_and_nobody_can_look() {
        PooledSequence<InMemoryTransaction> pooled = pooledOfThree();
        await(() -> store.memory.poolState("s").isPresent());
        CountDownLatch go = new CountDownLatch(1);
        store.memory.inTransaction(holder -> {
            takeAllThree(holder);
            store.before = count -> go.await();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> store.drawn(pooled))
                        .isInstanceOf(SequenceException.Overloaded.class)
                        .hasMessageContaining("it could not be checked");
            }
            return true;
        });
        go.countDown();
        await(() -> catchThrowable(() -> store.drawn(pooled)) instanceof SequenceException.Exhausted);
    }

    @Test
    void who_holds_the_last_number_itself_does_not_hear_that_all_are_committed() {
        store.before = count -> end.await();
        PooledSequence<InMemoryTransaction> pooled = pooledOfThree();
        store.memory.inTransaction(holder -> {
            assertThat(pooled.next(holder, 3)).hasSize(3);
            assertThatThrownBy(() -> pooled.next(holder)).isInstanceOf(SequenceException.Overloaded.class);
            return true;
        });
    }

    @Test
    void nobody_hears_that_all_are_dealt_while_numbers_of_another_process_wait_that_it_has_not_seen() {
        PooledSequence<InMemoryTransaction> other = pooledOfThree();
        await(() -> store.memory.poolState("s").isPresent());
        other.close();
        store.before = count -> end.await();
        PooledSequence<InMemoryTransaction> pooled = pooled(PATIENCE);
        assertThatThrownBy(() -> store.drawn(pooled)).isInstanceOf(SequenceException.Overloaded.class);
        assertThat(store.memory.poolState("s").orElseThrow().count()).isEqualTo(3);
    }

    @Test
    void at_the_end_callers_hear_so_at_once_one_after_another() {
        endAtThree();
        store.memory.inTransaction(holder -> {
            takeAllThree(holder);
            return true;
        });
        PooledSequence<InMemoryTransaction> patient = pooled(UNHURRIED);
        long began = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> store.drawn(patient)).isInstanceOf(SequenceException.Exhausted.class);
        }
        assertThat(System.nanoTime() - began).isLessThan(UNHURRIED.toNanos() / 6);
    }

    @Test
    void at_the_end_callers_hear_so_although_nobody_can_look_while_one_has_the_only_connection() {
        Semaphore connection = new Semaphore(1, true);
        store.before = count -> {
            connection.acquire();
            connection.release();
        };
        PooledSequence<InMemoryTransaction> pooled = pooledOfThree();
        store.memory.inTransaction(holder -> {
            takeAllThree(holder);
            return true;
        });
        List<Throwable> heard = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            connection.acquireUninterruptibly();
            try {
                heard.add(catchThrowable(() -> store.drawn(pooled)));
            } finally {
                connection.release();
            }
        }
        assertThat(heard).last().isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void waiting_can_be_interrupted() throws Exception {
        store.before = count -> end.await();
        PooledSequence<InMemoryTransaction> pooled = pooled(UNHURRIED);
        List<Throwable> thrown = new ArrayList<>();
        Thread caller = new Thread(() -> thrown.add(catchThrowable(() -> store.drawn(pooled))));
        caller.start();
        TimeUnit.MILLISECONDS.sleep(200);
        caller.interrupt();
        caller.join(10_000);
        assertThat(thrown).singleElement().isInstanceOf(SequenceException.Unavailable.class);
        assertThat(thrown.get(0)).hasMessageContaining("interrupted");
    }

    @Test
    void a_store_that_breaks_its_contract_holds_nobody() {
        store.before = count -> {
            throw new IllegalStateException("a failure of the store");
        };
        PooledSequence<InMemoryTransaction> pooled = pooled(UNHURRIED);
        long began = System.nanoTime();
        assertThatThrownBy(() -> store.drawn(pooled))
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining("a failure of the store");
        assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(10));
        store.before = count -> {};
        await(() -> catchThrowable(() -> store.drawn(pooled)) == null);
    }

    @Test
    void closing_turns_away_who_waits_and_loses_nothing() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        store.before = count -> go.await();
        PooledSequence<InMemoryTransaction> pooled = pooled(Duration.ofSeconds(10));
        CompletableFuture<Throwable> waiting =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> store.drawn(pooled)), OWN_THREADS);
        TimeUnit.MILLISECONDS.sleep(100);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(pooled::close, OWN_THREADS);
        assertThat(waiting.get(5, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
        go.countDown();
        closing.get(5, TimeUnit.SECONDS);
        store.before = count -> {};
        assertThat(store.drawn(pooled(UNHURRIED))).isEqualTo(1);
    }

    @Test
    void tells_what_was_laid_out_and_that_callers_waited() throws Exception {
        List<String> told = new java.util.concurrent.CopyOnWriteArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        store.before = count -> go.await();
        StoreSequences sequences = StoreSequences.builder(store.memory)
                .listener(new SequenceListener() {
                    @Override
                    public void reserved(String sequence, Block block, Duration took) {
                        told.add("reserved " + block.first() + " to " + block.last());
                    }

                    @Override
                    public void waited(String sequence, Duration howLong) {
                        told.add("waited");
                    }
                })
                .build();
        opened.add(sequences);
        PooledSequence<InMemoryTransaction> pooled = sequences.pooled("s", store);
        Thread caller = new Thread(() -> store.drawn(pooled));
        caller.start();
        await(() -> caller.getState() == Thread.State.TIMED_WAITING);
        go.countDown();
        caller.join();
        await(() -> told.size() > 1);
        assertThat(told).anyMatch(line -> line.startsWith("reserved 1 to ")).contains("waited");
    }

    @Test
    void a_refill_that_was_abandoned_fails_nobody_who_waits_for_the_next() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        store.before = count -> {
            if (store.asked.size() == 1) {
                first.await();
                throw new SequenceException.Unavailable("s", "the first has failed", null);
            }
            second.await();
        };
        List<String> told = new CopyOnWriteArrayList<>();
        StoreSequences sequences = StoreSequences.builder(store.memory)
                .patience(PATIENCE.multipliedBy(4))
                .listener(new SequenceListener() {
                    @Override
                    public void failed(String sequence, SequenceException failure) {
                        told.add(sequence);
                    }
                })
                .build();
        opened.add(sequences);
        PooledSequence<InMemoryTransaction> pooled = sequences.pooled("s", store);
        TimeUnit.MILLISECONDS.sleep(PATIENCE.toMillis() * 4 + 10);
        CompletableFuture<Long> drawn = CompletableFuture.supplyAsync(() -> store.drawn(pooled), OWN_THREADS);
        await(() -> store.asked.size() == 2);
        first.countDown();
        await(() -> !told.isEmpty());
        second.countDown();
        assertThat(drawn.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void a_count_below_one_is_refused() {
        PooledSequence<InMemoryTransaction> pooled = pooled(PATIENCE);
        assertThatThrownBy(() -> store.memory.inTransaction(t -> pooled.next(t, 0)))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("at least 1");
    }

    private PooledSequence<InMemoryTransaction> pooledOfThree() {
        endAtThree();
        return pooled(PATIENCE);
    }

    private void endAtThree() {
        store.memory.alter(
                "s", definition -> definition.toBuilder().maxValue(3L).build());
    }

    /** Takes from the pool, however long laying out takes, and not from the counter, which would stay locked. */
    private void takeAllThree(InMemoryTransaction holder) {
        assertThat(pooled(UNHURRIED).next(holder, 3)).hasSize(3);
    }

    private PooledSequence<InMemoryTransaction> pooled(Duration patience) {
        return sequences(patience).pooled("s", store);
    }

    private StoreSequences sequences(Duration patience) {
        StoreSequences sequences =
                StoreSequences.builder(store.memory).patience(patience).build();
        opened.add(sequences);
        return sequences;
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited until the limit").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
