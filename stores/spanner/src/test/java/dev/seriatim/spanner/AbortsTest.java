// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.testkit.Crowd;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Aborts of the transaction itself, after which it runs again, and aborts of other transactions that the work meets.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AbortsTest extends InterceptedStore {

    AbortsTest() {
        super(Duration.ofSeconds(10));
    }

    /**
     * What work throws after meeting an abort of another transaction, for example of another database or of one of its
     * threads.
     */
    static List<RuntimeException> ofOthers() {
        SpannerException abort =
                SpannerExceptionFactory.newSpannerException(ErrorCode.ABORTED, "a transaction of another database");
        return List.of(abort, new IllegalStateException("mine", abort), new Overloaded("stock", "in conflict", abort));
    }

    @ParameterizedTest
    @MethodSource("ofOthers")
    void an_abort_of_another_transaction_is_the_works_own_failure(RuntimeException thrown) {
        AtomicInteger runs = new AtomicInteger();
        Throwable caught = catchThrowable(() -> store.inTransaction(transaction -> {
            transaction.buffer(row(store.reserve(transaction, "s", 1).block().first()));
            if (runs.incrementAndGet() > 3) {
                throw new AssertionError("it was run again and again");
            }
            throw thrown;
        }));
        assertThat(caught).isSameAs(thrown);
        assertThat(runs).hasValue(1);
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("ofOthers")
    void an_abort_of_another_transaction_is_the_failure_of_the_unit_that_met_it(RuntimeException thrown) {
        AtomicInteger runs = new AtomicInteger();
        try (StoreSequences sequences =
                StoreSequences.builder(store).patience(Duration.ofSeconds(3)).build()) {
            GroupedSequence<TransactionContext> grouped = sequences.grouped("s", store);
            Throwable caught = catchThrowable(() -> grouped.<Long, RuntimeException>commit(turn -> {
                runs.incrementAndGet();
                turn.next();
                throw thrown;
            }));
            assertThat(caught).isSameAs(thrown);
            assertThat(runs).hasValue(1);
            long next = grouped.<Long, RuntimeException>commit(turn -> turn.next());
            assertThat(next).isEqualTo(1);
        }
    }

    @Test
    void others_in_the_group_are_not_held_up_by_one_that_meets_aborts_of_others() {
        RuntimeException foreign = new IllegalStateException("mine", ofOthers().get(0));
        AtomicInteger refused = new AtomicInteger();
        try (StoreSequences sequences = StoreSequences.of(store)) {
            GroupedSequence<TransactionContext> grouped = sequences.grouped("s", store);
            new Crowd(6, 10).each((thread, turn) -> {
                try {
                    grouped.<Long, RuntimeException>commit(t -> {
                        long drawn = t.next();
                        t.transaction().buffer(row(drawn));
                        if (thread == 0) {
                            throw foreign;
                        }
                        return drawn;
                    });
                } catch (IllegalStateException e) {
                    assertThat(thread).isZero();
                    assertThat(e).isSameAs(foreign);
                    refused.incrementAndGet();
                }
            });
        }
        assertThat(refused).hasValue(10);
        assertThat(database.numbers("SELECT MAX(number) FROM numbers")).containsExactly(50L);
        assertThat(store.describe("s").nextValue()).isEqualTo(51);
    }

    @ParameterizedTest
    @MethodSource("wraps")
    void its_own_abort_repeats_it_in_whatever_the_work_wraps_it_and_where_it_swallows_it(boolean swallowed) {
        AtomicInteger runs = new AtomicInteger();
        calls.refuse("StreamingRead", Status.ABORTED);
        long drawn = store.inTransaction(transaction -> {
            runs.incrementAndGet();
            try {
                return store.reserve(transaction, "s", 1).block().first();
            } catch (AbortedException e) {
                if (swallowed) {
                    return -1L;
                }
                throw new IllegalStateException("mine, without a cause");
            }
        });
        assertThat(drawn).isEqualTo(1);
        assertThat(runs).hasValue(2);
        assertThat(store.describe("s").nextValue()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("wraps")
    void a_groups_own_abort_repeats_it_in_whatever_the_unit_wraps_it(boolean swallowed) {
        AtomicInteger runs = new AtomicInteger();
        try (StoreSequences sequences = StoreSequences.of(store)) {
            GroupedSequence<TransactionContext> grouped = sequences.grouped("s", store);
            long drawn = grouped.<Long, RuntimeException>commit(turn -> {
                if (runs.incrementAndGet() == 1) {
                    calls.refuse("StreamingRead", Status.ABORTED);
                }
                long number = turn.next();
                try {
                    turn.transaction().readRow("numbers", Key.of(number), List.of("number"));
                } catch (AbortedException e) {
                    if (!swallowed) {
                        throw new IllegalStateException("mine, without a cause");
                    }
                }
                turn.transaction().buffer(row(number));
                return number;
            });
            assertThat(drawn).isEqualTo(1);
        }
        assertThat(runs).hasValue(2);
        assertThat(database.numbers("SELECT number FROM numbers")).containsExactly(1L);
        assertThat(store.describe("s").nextValue()).isEqualTo(2);
    }

    static List<Boolean> wraps() {
        return List.of(false, true);
    }

    @Test
    void an_abort_that_a_change_of_the_definition_meets_is_its_own_failure() {
        for (RuntimeException thrown : ofOthers()) {
            assertThat(catchThrowable(() -> store.alter("s", definition -> {
                        throw thrown;
                    })))
                    .isSameAs(thrown);
        }
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void an_error_of_the_works_comes_out_as_it_is_and_nothing_is_kept() {
        Error error = new OutOfMemoryError("for the test");
        assertThatThrownBy(() -> store.inTransaction(transaction -> {
                    transaction.buffer(
                            row(store.reserve(transaction, "s", 1).block().first()));
                    throw error;
                }))
                .isSameAs(error);
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
        long next = store.inTransaction(
                transaction -> store.reserve(transaction, "s", 1).block().first());
        assertThat(next).isEqualTo(1);
    }
}
