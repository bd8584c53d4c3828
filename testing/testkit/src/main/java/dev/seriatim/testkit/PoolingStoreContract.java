// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.Block;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.TransactionScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link PoolingStore}: numbers that are laid out ahead and claimed in the caller's transaction. */
public abstract class PoolingStoreContract<T, S extends OpenStore & TransactionScope<T> & PoolingStore<T>>
        extends TransactionContract<T, S> {

    @Test
    void deals_from_the_start_on_without_a_gap() {
        PooledSequence<T> pooled =
                laidOut(storeWith(SequenceDefinition.named("s").startWith(5L)));
        for (long expected = 5; expected < 205; expected++) {
            assertThat(drawn(pooled)).isEqualTo(expected);
        }
    }

    @Test
    void counts_down_as_well() {
        PooledSequence<T> pooled =
                laidOut(storeWith(SequenceDefinition.named("s").incrementBy(-10)));
        assertThat(List.of(drawn(pooled), drawn(pooled), drawn(pooled))).containsExactly(-1L, -11L, -21L);
    }

    @Test
    void transactions_at_the_same_time_hold_different_numbers_and_do_not_wait() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        List<Long> held = store.inTransaction(one -> {
            long first = pooled.next(one);
            return store.inTransaction(two -> {
                long second = pooled.next(two);
                return store.inTransaction(three -> List.of(first, second, pooled.next(three)));
            });
        });
        assertThat(held).containsExactly(1L, 2L, 3L);
    }

    @Test
    void a_rollback_puts_the_number_back_and_the_next_claim_takes_it() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        store.inTransaction(outer -> {
            assertThat(pooled.next(outer)).isEqualTo(1);
            assertThatThrownBy(() -> store.inTransaction(inner -> {
                        assertThat(pooled.next(inner, 3)).containsExactly(2L, 3L, 4L);
                        throw new Refused("refused");
                    }))
                    .isInstanceOf(Refused.class);
            assertThat(drawn(pooled)).isEqualTo(2);
            return true;
        });
        assertThat(drawn(pooled)).isEqualTo(3);
    }

    @Test
    void a_rollback_to_a_savepoint_puts_back_what_was_drawn_after_it() throws Exception {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        List<Long> committed = new ArrayList<>(store.inTransaction(transaction -> {
            List<Long> kept = new ArrayList<>();
            kept.add(pooled.next(transaction));
            ReturnPoint refused = savepointIn(transaction);
            assertThat(pooled.next(transaction, 3)).containsExactly(2L, 3L, 4L);
            refused.goBack();
            kept.addAll(pooled.next(transaction, 2).toList());
            return kept;
        }));
        assertThat(committed).hasSize(3).startsWith(1L).doesNotHaveDuplicates();
        assertGapless("s", committed);
        assertGoesOn(pooled, committed);
    }

    /** Draws many more numbers; all must be different and without a gap. */
    private void assertGoesOn(PooledSequence<T> pooled, List<Long> committed) {
        for (int i = 0; i < 200; i++) {
            committed.add(drawn(pooled));
        }
        assertThat(committed).doesNotHaveDuplicates();
        assertGapless("s", committed);
    }

    @Test
    void savepoints_inside_savepoints_put_back_what_was_drawn_after_each() throws Exception {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        List<Long> committed = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            committed.addAll(store.inTransaction(transaction -> {
                List<Long> kept = new ArrayList<>();
                ReturnPoint first = savepointIn(transaction);
                pooled.next(transaction); // the transaction's first claim, which is undone
                first.goBack();
                kept.add(pooled.next(transaction));
                ReturnPoint outer = savepointIn(transaction);
                pooled.next(transaction, 2);
                ReturnPoint inner = savepointIn(transaction);
                pooled.next(transaction, 70); // more than is laid out at a time
                inner.goBack();
                pooled.next(transaction);
                outer.goBack();
                kept.addAll(pooled.next(transaction, 3).toList());
                return kept;
            }));
            assertGapless("s", committed);
        }
        assertGoesOn(pooled, committed);
    }

    @Test
    void whatever_the_work_throws_comes_out_as_it_is_and_its_numbers_are_put_back() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        for (Error error : Errors.all()) {
            assertThatThrownBy(() -> store.inTransaction(transaction -> {
                        pooled.next(transaction, 5);
                        throw error;
                    }))
                    .isSameAs(error);
            assertGapless("s", List.of());
        }
        assertThat(drawn(pooled)).isEqualTo(1);
    }

    @Test
    void an_error_while_numbers_are_laid_out_is_reported_at_once_and_the_next_call_works() {
        PooledSequence<T> pooled = hooked(LIMIT);
        List<Long> committed = new ArrayList<>();
        for (Error error : Errors.all().subList(0, 2)) {
            hooks.before("layOut", () -> {
                throw error;
            });
            long began = System.nanoTime();
            assertThatThrownBy(() -> {
                        while (true) { // draw everything that is laid out
                            committed.addAll(drawn(pooled, 50));
                        }
                    })
                    .isInstanceOf(SequenceException.Unavailable.class)
                    .hasRootCause(error);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT.dividedBy(4));
            hooks.clear();
            committed.add(drawn(pooled));
        }
        assertThat(committed).doesNotHaveDuplicates();
        assertGapless("s", committed);
    }

    @Test
    void a_pool_that_can_never_be_filled_fails_within_the_patience_and_deals_once_it_can() {
        hooks.before("layOut", () -> {
            throw new SequenceException.Overloaded("s", "always in conflict", null);
        });
        PooledSequence<T> pooled = hooked(Duration.ofSeconds(5));
        long began = System.nanoTime();
        assertThatThrownBy(() -> drawn(pooled))
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContaining("always in conflict");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
        hooks.clear();
        assertThat(drawn(pooled)).isEqualTo(1);
    }

    @Test
    void numbers_that_were_laid_out_although_the_answer_was_lost_are_dealt() {
        AtomicInteger laidOut = new AtomicInteger();
        hooks.after("layOut", () -> {
            if (laidOut.incrementAndGet() % 2 == 1) {
                throw new SequenceException.CommitOutcomeUnknown("s", null);
            }
        });
        PooledSequence<T> pooled = hooked(LIMIT);
        List<Long> committed = new ArrayList<>();
        until(
                () -> { // if nothing is laid out for a second, some come from the counter, and these follow later
                    committed.addAll(drawn(pooled, 30));
                    return committed.containsAll(numbers(1, 600));
                });
        assertThat(committed).doesNotHaveDuplicates();
        assertGapless("s", committed);
    }

    private PooledSequence<T> hooked(Duration patience) {
        storeWith("s");
        return sequences(StoreSequences.builder(store).patience(patience)).pooled("s", hooks.pools(store));
    }

    @Test
    void work_that_is_repeated_until_it_is_committed_leaves_exactly_the_first_numbers() {
        PooledSequence<T> pooled = pooled(storeWith("s"));
        ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();
        AtomicInteger attempts = new AtomicInteger();
        new Crowd(8, 40).each((thread, turn) -> {
            boolean done = false;
            while (!done) {
                try {
                    committed.add(store.inTransaction(transaction -> {
                        long value = pooled.next(transaction);
                        if (attempts.incrementAndGet() % 5 == 0) {
                            throw new Refused("refused");
                        }
                        return value;
                    }));
                    done = true;
                } catch (Refused expected) {
                    // retry
                }
            }
        });
        assertThat(committed).containsExactlyInAnyOrderElementsOf(numbers(1, 320));
        assertGapless("s", List.copyOf(committed));
    }

    @Test
    void what_fails_for_good_stays_in_the_pool() {
        PooledSequence<T> pooled = pooled(storeWith("s"));
        ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();
        new Crowd(4, 50).each((thread, turn) -> {
            try {
                committed.add(store.inTransaction(transaction -> {
                    long value = pooled.next(transaction);
                    if (turn % 5 == 4) {
                        throw new Refused("refused");
                    }
                    return value;
                }));
            } catch (Refused expected) {
                // its number returns to the pool
            }
        });
        assertThat(committed).hasSize(160).doesNotHaveDuplicates();
        assertGapless("s", List.copyOf(committed));
    }

    @Test
    void several_processes_share_a_pool() {
        S one = storeWith("s");
        S two = store();
        List<PooledSequence<T>> pooled = List.of(pooled(one, "s"), pooled(two, "s"));
        List<S> stores = List.of(one, two);
        ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();
        new Crowd(6, 60).each((thread, turn) -> committed.add(drawn(stores.get(thread % 2), pooled.get(thread % 2))));
        assertThat(committed).containsExactlyInAnyOrderElementsOf(numbers(1, 360));
        assertGapless("s", List.copyOf(committed));
    }

    @Test
    void who_lays_out_after_another_only_looks() {
        storeWith("s");
        Pool<T> one = store.pool("s");
        Pool<T> two = store().pool("s");
        long last = one.layOut(100).last();
        assertThat(two.layOut(100).laidOut()).isNull();
        assertThat(two.layOut(100).laidOut()).isNotNull();
        assertThat(one.layOut(100).laidOut()).isNull();
        assertThat(one.layOut(100).last()).isEqualTo(last + 200);
    }

    @Test
    void only_who_finds_that_the_sequence_has_no_more_values_says_that_it_has_ended() {
        storeWith(oneToTen("s"));
        Pool<T> one = store.pool("s");
        Pool<T> two = store().pool("s");
        assertThat(one.layOut(100).ended()).isFalse();
        assertThat(one.layOut(100).ended()).isTrue();
        assertThat(two.layOut(100).ended()).as("only looks").isFalse();
        assertThat(two.layOut(100).ended()).isTrue();
        store.alter("s", d -> d.toBuilder().maxValue(1000L).build());
        assertThat(two.layOut(64).ended()).isFalse();
        assertThat(one.layOut(64).ended()).as("only looks").isFalse();
    }

    @Test
    void before_the_first_look_a_claim_finds_nothing() {
        storeWith("s");
        store.pool("s").layOut(100);
        Pool<T> other = store().pool("s");
        assertThat(store.<Pool.Claim, RuntimeException>inTransaction(t -> other.claim(t, 1))
                        .numbers())
                .isEmpty();
    }

    @Test
    void claims_more_than_is_laid_out_at_a_time() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        List<Long> numbers = drawn(pooled, 1000);
        assertThat(numbers).containsExactlyElementsOf(numbers(1, 1000));
    }

    @Test
    void deals_to_the_very_end_and_not_beyond() {
        PooledSequence<T> pooled = pooled(storeWith(oneToTen("s")));
        for (long expected = 1; expected <= 8; expected++) {
            assertThat(drawn(pooled)).isEqualTo(expected);
        }
        assertThat(drawn(pooled, 5)).containsExactly(9L, 10L);
        assertThatThrownBy(() -> drawn(pooled)).isInstanceOf(SequenceException.Exhausted.class);
        assertThat(store.describe("s").usedUp()).isTrue();
    }

    @Test
    void long_sequences_end_with_their_last_number_too() {
        PooledSequence<T> pooled =
                laidOut(storeWith(SequenceDefinition.named("s").maxValue(150L)));
        assertEndsAfter150(pooled);
    }

    @Test
    void a_caller_that_waits_too_long_for_the_last_numbers_gets_them_all() {
        storeWith(SequenceDefinition.named("s").maxValue(150L));
        AtomicInteger calls = new AtomicInteger();
        hooks.before("layOut", () -> {
            if (calls.incrementAndGet() == 2) { // longer than a caller waits before it draws from the counter
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            }
        });
        assertEndsAfter150(
                sequences(StoreSequences.builder(store).patience(LIMIT)).pooled("s", hooks.pools(store)));
    }

    /** If nothing is laid out for a second, some numbers come from the counter, before those left in the pool. */
    private void assertEndsAfter150(PooledSequence<T> pooled) {
        List<Long> numbers = new ArrayList<>(drawn(pooled, 149));
        assertThat(numbers).hasSize(149);
        // A caller whose draw meets the end of a refill is asked to repeat its transaction.
        numbers.add(retrying(store, pooled::next));
        assertThat(numbers).containsExactlyInAnyOrderElementsOf(numbers(1, 150));
        assertThatThrownBy(() -> retrying(store, pooled::next)).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void who_finds_every_last_number_held_waits_for_one_to_come_back() {
        PooledSequence<T> pooled = pooled(storeWith(oneToTen("s")));
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        assertThatThrownBy(() -> store.inTransaction(holder -> {
                    assertThat(pooled.next(holder, 10)).hasSize(10);
                    waiting.add(CompletableFuture.supplyAsync(() -> drawn(pooled)));
                    TimeUnit.MILLISECONDS.sleep(300);
                    assertThat(waiting.get(0)).isNotDone();
                    throw new Refused("refused");
                }))
                .isInstanceOf(Refused.class);
        // It may find any of them: the rollback releases them during the search.
        List<Long> numbers = new ArrayList<>(List.of(waiting.get(0)
                .orTimeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join()));
        while (numbers.size() < 10) {
            numbers.add(drawn(pooled));
        }
        assertThat(numbers).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }

    @Test
    void a_caller_that_finds_every_last_number_held_does_not_wait_for_ever() {
        storeWith(oneToTen("s"));
        PooledSequence<T> pooled = sequences(StoreSequences.builder(store).patience(Duration.ofMillis(500)))
                .pooled("s", store);
        // A holder that finds nothing laid out draws from the counter, whose lock the others would wait for.
        until(() -> store.poolState("s").isPresent());
        store.inTransaction(holder -> {
            assertThat(pooled.next(holder, 10)).hasSize(10);
            until(() -> {
                Throwable failure = catchThrowable(() -> drawn(pooled));
                assertThat(failure)
                        .isInstanceOf(SequenceException.Overloaded.class)
                        .hasMessageContaining("'s'");
                return failure.toString().contains("held by transactions");
            });
            return true;
        });
    }

    @Test
    void names_the_missing_sequence() {
        storeWith("other");
        PooledSequence<T> pooled = pooled(store, "s");
        assertThatThrownBy(() -> drawn(pooled))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContaining("'s'");
        store.create(SequenceDefinition.of("s"));
        assertThat(drawn(pooled)).isEqualTo(1);
    }

    @Test
    void tells_what_is_laid_out_and_claimed_and_the_lowest_that_is_not_committed() {
        storeWith("s");
        assertThat(store.poolState("s")).isEmpty();
        PooledSequence<T> pooled = pooled(store, "s");
        assertThat(drawn(pooled)).isEqualTo(1);
        store.inTransaction(open -> {
            assertThat(pooled.next(open, 2)).containsExactly(2L, 3L);
            assertThat(drawn(pooled)).isEqualTo(4);
            PoolState state = store.poolState("s").orElseThrow();
            assertThat(state.claimed()).isEqualTo(2);
            assertThat(state.lowest()).hasValue(2);
            assertThat(state.count()).isEqualTo(store.describe("s").nextValue() - 1 - 2);
            assertThat(state.laidOut()).hasSize(2).startsWith(new Block(2, 2, 1));
            return true;
        });
        PoolState state = store.poolState("s").orElseThrow();
        assertThat(state.claimed()).isZero();
        assertThat(state.lowest()).hasValue(5);
    }

    @Test
    void other_modes_draw_behind_what_is_laid_out() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        assertThat(drawn(pooled)).isEqualTo(1);
        long beyond = store.reserve("s", 1).block().first();
        assertThat(beyond).isGreaterThan(64);
        assertThat(drawn(pooled)).isEqualTo(2);
        assertThat(drawn(pooled, 300)).hasSize(300).doesNotHaveDuplicates().doesNotContain(beyond);
    }

    @Test
    void transactions_draw_from_several_sequences_in_any_order() {
        List<String> names = List.of("a", "b", "c");
        store = store();
        names.forEach(name -> store.create(SequenceDefinition.of(name)));
        List<PooledSequence<T>> pooled =
                names.stream().map(name -> pooled(store, name)).toList();
        List<Queue<Long>> committed = names.stream()
                .<Queue<Long>>map(name -> new ConcurrentLinkedQueue<>())
                .toList();
        // Transactions that lock rows in different orders may conflict and must be retried.
        new Crowd(6, 60).each((thread, turn) -> {
            List<Long> drawn = retrying(store, t -> {
                List<Long> numbers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    numbers.add(pooled.get((thread + i) % 3).next(t));
                }
                return numbers;
            });
            for (int i = 0; i < 3; i++) {
                committed.get((thread + i) % 3).add(drawn.get(i));
            }
        });
        for (int i = 0; i < 3; i++) {
            assertThat(committed.get(i)).hasSize(360);
            assertGapless(names.get(i), List.copyOf(committed.get(i)));
        }
    }

    @Test
    void a_restart_clears_the_pool() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        store.inTransaction(t -> pooled.next(t, 100));
        store.restart("s", 1000);
        assertThat(drawn(pooled)).isEqualTo(1000);
        store.restart("s", 7);
        assertThat(drawn(pooled)).isEqualTo(7);
    }

    @Test
    void raising_removes_what_comes_before_and_keeps_the_rest() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        assertThat(drawn(pooled)).isEqualTo(1);
        store.raise("s", 10);
        assertThat(drawn(pooled)).isEqualTo(10);
        store.raise("s", 10_000);
        assertThat(drawn(pooled)).isEqualTo(10_000);
        assertThat(store().poolState("s").orElseThrow().lowest()).hasValue(10_001);
    }

    @Test
    void bounds_that_laid_out_numbers_are_outside_of_are_refused() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        assertThat(drawn(pooled)).isEqualTo(1);
        assertThatThrownBy(() -> store.alter(
                        "s", d -> d.toBuilder().startWith(3L).minValue(3L).build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("laid out in its pool");
        assertThat(drawn(pooled)).isEqualTo(2);
        store.alter("s", d -> d.toBuilder().startWith(3L).minValue(3L).build());
        assertThat(drawn(pooled)).isEqualTo(3);
    }

    @Test
    void a_new_step_holds_for_what_is_laid_out_from_then_on() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        assertThat(drawn(pooled)).isEqualTo(1);
        long next = store.describe("s").nextValue();
        store.alter("s", d -> d.toBuilder().incrementBy(5).build());
        List<Long> rest = drawn(pooled, (int) next);
        assertThat(rest)
                .containsExactlyElementsOf(LongStream.concat(LongStream.range(2, next), LongStream.of(next, next + 5))
                        .boxed()
                        .toList());
    }

    @Test
    void dropping_a_sequence_drops_its_pool() {
        PooledSequence<T> pooled = laidOut(storeWith("s"));
        store.inTransaction(t -> pooled.next(t, 200));
        store.drop("s");
        assertThatThrownBy(() -> drawn(pooled)).isInstanceOf(SequenceException.NotFound.class);
        store.create(SequenceDefinition.named("s").startWith(50L).build());
        assertThat(store.poolState("s")).isEmpty();
        assertThat(drawn(pooled)).isEqualTo(50);
        assertThat(drawn(store(), pooled(store, "s"))).isEqualTo(51);
    }

    private PooledSequence<T> laidOut(S in) {
        return Landing.awaited(in, "s", opened);
    }

    private PooledSequence<T> pooled(S in) {
        return pooled(in, "s");
    }

    private PooledSequence<T> pooled(S in, String name) {
        return sequences(StoreSequences.builder(in)).pooled(name, in);
    }

    private static void until(BooleanSupplier seen) {
        long began = System.nanoTime();
        while (!seen.getAsBoolean()) {
            assertThat(System.nanoTime() - began).as("waited until the limit").isLessThan(LIMIT.toNanos());
        }
    }

    /** Draws in a separate transaction. Retries if the failure says so: numbers may be laid out at the same time. */
    private long drawn(PooledSequence<T> pooled) {
        return drawn(store, pooled);
    }

    private long drawn(S on, PooledSequence<T> pooled) {
        for (int i = 0; i < 5; i++) {
            try {
                return on.<Long, RuntimeException>inTransaction(pooled::next);
            } catch (SequenceException.Overloaded e) {
                if (!e.toString().contains("roll the whole transaction back and retry it")) {
                    throw e;
                }
            }
        }
        return on.<Long, RuntimeException>inTransaction(pooled::next);
    }

    private List<Long> drawn(PooledSequence<T> pooled, int count) {
        return store.<List<Long>, RuntimeException>inTransaction(
                t -> pooled.next(t, count).toList());
    }

    private void assertGapless(String name, List<Long> committed) {
        long next;
        List<Long> all = new ArrayList<>();
        do { // a refill that was started in the background may arrive between the two reads
            next = store.describe(name).nextValue();
            all.clear();
            store.poolState(name).orElseThrow().laidOut().forEach(run -> run.forEach(all::add));
        } while (store.describe(name).nextValue() != next);
        all.addAll(committed);
        assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(1, next - 1));
    }
}
