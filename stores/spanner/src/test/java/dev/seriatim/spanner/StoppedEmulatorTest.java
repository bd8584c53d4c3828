// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Server;
import dev.seriatim.servers.SpannerEmulator;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that is suspended under load and then resumed, with commits that get no answer. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StoppedEmulatorTest {

    private static final long STILL_MILLIS = 2500;

    private final Server emulator = SpannerEmulator.start();
    private final EmulatorDatabase database = EmulatorDatabase.on(emulator.address(), place());

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    @AfterEach
    void stop() {
        emulator.close();
    }

    static List<Allocation> modes() {
        return List.of(Allocation.async(), Allocation.combined(), Allocation.batch(5), Allocation.adaptive(1, 20));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void repeats_nothing_when_it_goes_on(Allocation mode) {
        AtomicInteger failures = new AtomicInteger();
        create();
        try (SpannerStore store = database.store("timeout=1s");
                StoreSequences sequences = StoreSequences.builder(store)
                        .patience(Duration.ofMillis(700))
                        .listener(counting(failures))
                        .build()) {
            Sequence sequence = sequences.open("s", mode);
            CountDownLatch still = new CountDownLatch(1);
            History history = new Crowd(6, 40).draw((thread, turn) -> {
                if (thread == 0 && turn == 10) {
                    stillFor(STILL_MILLIS, still);
                } else if (thread > 1 && turn == 5) {
                    // They have more left to draw than blocks hold, so they reserve while it is suspended.
                    assertThat(still.await(1, TimeUnit.MINUTES)).isTrue();
                }
                return new Block(drawUntilItWorks(sequence), 1, 1);
            });
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(240);
            if (mode instanceof Allocation.Async || mode instanceof Allocation.Combined) {
                assertThat(history.orderViolations(true)).isZero();
            }
            assertThat(failures.get()).as("unanswered reservations").isPositive();
        }
    }

    @Test
    void is_reported_in_the_callers_transaction_and_nothing_is_kept_before_the_commit() {
        create();
        try (SpannerStore store = database.store("timeout=3s")) {
            TransactionalSequence<TransactionContext> sequence = TransactionalSequence.of(store, "s");
            assertThatThrownBy(() -> store.inTransaction(transaction -> {
                        emulator.suspend();
                        return sequence.next(transaction);
                    }))
                    .isInstanceOf(SequenceException.Unavailable.class);
            emulator.resume();
            long next = store.inTransaction(sequence::next);
            assertThat(next).isEqualTo(1);
            assertThatThrownBy(() -> store.inTransaction(transaction -> {
                        long drawn = sequence.next(transaction);
                        emulator.suspend();
                        return drawn;
                    }))
                    .isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
            emulator.resume();
        }
    }

    /** Uses a store with a longer patience than those under test: the first table of a server takes long to create. */
    private void create() {
        try (SpannerStore patient = database.store()) {
            patient.create(SequenceDefinition.of("s"));
        }
    }

    private void stillFor(long millis, CountDownLatch still) throws InterruptedException {
        emulator.suspend();
        still.countDown();
        Thread.sleep(millis);
        emulator.resume();
    }

    private static long drawUntilItWorks(Sequence sequence) {
        while (true) {
            try {
                return sequence.next();
            } catch (SequenceException.Unavailable | SequenceException.Overloaded e) {
                // expected
            }
        }
    }

    private static SequenceListener counting(AtomicInteger failures) {
        return new SequenceListener() {
            @Override
            public void failed(String sequence, SequenceException failure) {
                failures.incrementAndGet();
            }

            @Override
            public void outcomeUnknown(String sequence, long count) {
                failures.incrementAndGet();
            }
        };
    }
}
