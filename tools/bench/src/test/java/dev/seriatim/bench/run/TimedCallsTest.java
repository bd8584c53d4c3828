// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceException;
import dev.seriatim.bench.load.TimedCalls;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class TimedCallsTest {

    private static final Duration TEN = Duration.ofMillis(10);

    @Test
    void a_reservation_a_read_and_the_row_are_measured_each_by_itself() {
        try (InMemoryStore store = new InMemoryStore(TEN, Duration.ofMillis(1))) {
            TimedCalls calls = new TimedCalls(store);
            StoreTimes fastest = calls.fastest();
            assertThat(fastest.reservation()).isBetween(0.010, 0.020);
            assertThat(fastest.row())
                    .as("all of it keeps the row from others")
                    .isBetween(0.0099, fastest.reservation());
            assertThat(fastest.read()).isBetween(0.001, 0.005);
            assertThat(calls.hasReads()).isTrue();
            assertThat(calls.usual().reservation()).isGreaterThanOrEqualTo(fastest.reservation());
            assertThat(calls.usual().read()).isGreaterThanOrEqualTo(fastest.read());
            assertThat(store.list()).isEmpty();
        }
    }

    @Test
    void what_reservations_take_beside_the_row_does_not_count_as_keeping_it() {
        try (OpenStore store = new Distant()) {
            StoreTimes fastest = new TimedCalls(store).fastest();
            assertThat(fastest.reservation()).isGreaterThan(0.010);
            assertThat(fastest.row()).isLessThan(fastest.reservation() / 3);
        }
    }

    @Test
    void a_store_without_reads_has_none_and_one_that_serves_no_two_sessions_is_measured_all_the_same() {
        try (OpenStore store = new Lonely()) {
            TimedCalls calls = new TimedCalls(store);
            assertThat(calls.hasReads()).isFalse();
            assertThat(calls.usual().read()).isEqualTo(calls.usual().reservation());
            assertThat(calls.fastest().row()).isEqualTo(calls.fastest().reservation());
        }
    }

    /** Answers over a long way. */
    private static final class Distant extends FlawedStore {
        @Override
        public Reservation reserve(String name, long count) {
            LockSupport.parkNanos(TEN.toNanos());
            return super.reserve(name, count);
        }
    }

    /** Refuses whoever comes while another session reserves, and is faster from the first refusal on. */
    private static final class Lonely extends FlawedStore implements ConfirmingStore {
        private final Semaphore session = new Semaphore(1);
        private volatile Duration takes = TEN;

        @Override
        public Reservation reserve(String name, long count) {
            if (!session.tryAcquire()) {
                takes = TEN.dividedBy(2);
                throw new SequenceException.Unavailable(name, "another session reserves", null);
            }
            try {
                LockSupport.parkNanos(takes.toNanos());
                return super.reserve(name, count);
            } finally {
                session.release();
            }
        }

        @Override
        public SequenceState read(String name) {
            return describe(name);
        }

        @Override
        public Optional<String> whyNotConfirmed() {
            return Optional.of("its reads may lag behind");
        }
    }
}
