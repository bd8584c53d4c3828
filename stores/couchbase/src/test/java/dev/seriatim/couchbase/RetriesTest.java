// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.core.error.DocumentLockedException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Retries of conflicting operations, and interrupts. */
class RetriesTest {

    private static final Duration TIMEOUT = Duration.ofMillis(400);

    private final Retries attempts = new Retries(new CouchbaseFailures("bucket app", "majority", TIMEOUT), TIMEOUT);

    /** Returns the time left at the start of each attempt, for a document that stays locked. */
    private List<Duration> whatIsLeft(Duration took) {
        List<Duration> left = new ArrayList<>();
        assertThatThrownBy(() -> attempts.writing("s", deadline -> {
                    left.add(deadline.left());
                    Thread.sleep(took.toMillis());
                    throw new DocumentLockedException(null);
                }))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("until its 400 ms left no time for another attempt");
        return left;
    }

    /**
     * Returns the minimum time left, in the best of several rounds: in any round, another thread may take the
     * processor.
     */
    private Duration leastLeft(Duration took) {
        List<Duration> least = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            least.add(Collections.min(whatIsLeft(took)));
        }
        return Collections.max(least);
    }

    /** Returns the number of attempts in the best of several rounds. */
    private int mostAttempts() {
        int most = 0;
        for (int i = 0; i < 5; i++) {
            most = Math.max(most, whatIsLeft(Duration.ZERO).size());
        }
        return most;
    }

    @Test
    void none_begins_that_could_not_be_answered_in_time() {
        assertThat(leastLeft(Duration.ZERO)).isGreaterThan(Duration.ofMillis(45));
    }

    @Test
    void where_they_take_long_none_begins_in_the_last_quarter_of_the_time() {
        assertThat(leastLeft(Duration.ofMillis(60))).isGreaterThan(Duration.ofMillis(95));
    }

    @Test
    void there_is_always_one_and_another_as_long_as_there_is_time() {
        assertThat(whatIsLeft(Duration.ofMillis(500))).hasSize(1);
        assertThat(mostAttempts()).isGreaterThan(3);
    }

    @Test
    void an_interrupt_between_attempts_has_changed_nothing() {
        assertThatThrownBy(() -> attempts.writing("s", deadline -> {
                    Thread.currentThread().interrupt();
                    return Optional.empty();
                }))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("interrupted while waiting for bucket app");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void an_interrupt_within_one_that_writes_leaves_it_open() {
        Retries.Attempt<Long> interrupted = deadline -> {
            throw new InterruptedException();
        };
        assertThatThrownBy(() -> attempts.writing("s", interrupted)).isInstanceOf(CommitOutcomeUnknown.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(() -> attempts.reading("s", interrupted)).isInstanceOf(Unavailable.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
