// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.engine.StoreSequences;
import io.grpc.Status;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every status that can answer a commit, in each kind of transaction: an uncertain outcome is never reported as
 * certain, and a rejection by the server is never reported as unknown.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CommitAnswersTest extends InterceptedStore {

    /** The server uses these to report an invalid transaction, after examining it. */
    private static final Set<Code> REFUSALS = EnumSet.of(
            Code.INVALID_ARGUMENT,
            Code.NOT_FOUND,
            Code.ALREADY_EXISTS,
            Code.PERMISSION_DENIED,
            Code.FAILED_PRECONDITION,
            Code.OUT_OF_RANGE);

    private static final Status INVALIDATED = Status.FAILED_PRECONDITION.withDescription(
            "This transaction has been invalidated by a later transaction in the same session.");

    /** The way to draw a number. */
    enum Kind {
        OWN {
            @Override
            void draw(SpannerStore store) {
                store.reserve("s", 1);
            }
        },
        CALLERS {
            @Override
            void draw(SpannerStore store) {
                store.inTransaction(transaction -> {
                    transaction.buffer(
                            row(store.reserve(transaction, "s", 1).block().first()));
                    return 0;
                });
            }
        },
        GROUPED {
            @Override
            void draw(SpannerStore store) {
                try (StoreSequences sequences = StoreSequences.of(store)) {
                    GroupedSequence<TransactionContext> grouped = sequences.grouped("s", store);
                    grouped.<Long, RuntimeException>commit(turn -> {
                        turn.transaction().buffer(row(turn.next()));
                        return 0L;
                    });
                }
            }
        };

        abstract void draw(SpannerStore store);
    }

    CommitAnswersTest() {
        super(Duration.ofSeconds(2));
    }

    static List<Arguments> uncertain() {
        return all(EnumSet.complementOf(EnumSet.copyOf(REFUSALS)));
    }

    static List<Arguments> refusals() {
        return all(REFUSALS);
    }

    private static List<Arguments> all(Set<Code> codes) {
        return codes.stream()
                .filter(code -> code != Code.OK && code != Code.ABORTED)
                .flatMap(code -> Arrays.stream(Kind.values()).map(kind -> Arguments.of(code, kind)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("uncertain")
    void what_may_have_happened_is_unknown(Code code, Kind kind) {
        for (int i = 0; i < 200; i++) { // the client repeats some
            calls.serveAndAnswer("Commit", code.toStatus().withDescription("for the test"));
        }
        assertThat(catchThrowable(() -> kind.draw(store))).isInstanceOf(CommitOutcomeUnknown.class);
        calls.deliver();
        assertThat(store.describe("s").nextValue()).as("committed nevertheless").isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void what_the_server_has_refused_is_certain(Code code, Kind kind) {
        calls.refuse("Commit", code.toStatus().withDescription("for the test"));
        assertThat(catchThrowable(() -> kind.draw(store)))
                .isNotNull()
                .isNotInstanceOf(CommitOutcomeUnknown.class)
                .hasMessageContaining("for the test");
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void an_aborted_commit_is_repeated(Kind kind) {
        calls.refuse("Commit", Status.ABORTED);
        calls.refuse("Commit", Status.ABORTED);
        kind.draw(store);
        assertThat(store.describe("s").nextValue()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("forgotten")
    void a_session_or_transaction_that_has_gone_says_nothing_about_its_commit(Status answer, Kind kind) {
        // The answer of a server that has forgotten the transaction of a commit that was sent again.
        for (int i = 0; i < 200; i++) {
            calls.serveAndAnswer("Commit", answer);
        }
        assertThat(catchThrowable(() -> kind.draw(store))).isInstanceOf(CommitOutcomeUnknown.class);
        calls.deliver();
        assertThat(store.describe("s").nextValue()).as("committed nevertheless").isEqualTo(2);
    }

    static List<Arguments> forgotten() {
        return Arrays.stream(Kind.values())
                .flatMap(kind -> Stream.of(Status.NOT_FOUND.withDescription("Transaction not found: 7"), INVALIDATED)
                        .map(answer -> Arguments.of(answer, kind)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void a_transaction_that_a_later_one_has_ended_before_its_commit_can_be_retried(Kind kind) {
        calls.refuse("StreamingRead", INVALIDATED);
        assertThat(catchThrowable(() -> kind.draw(store)))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("; retry it");
        kind.draw(store);
        assertThat(store.describe("s").nextValue()).isEqualTo(2);
    }

    static List<Kind> kinds() {
        return List.of(Kind.values());
    }

    @Test
    void a_transaction_that_could_not_begin_is_not_unknown() {
        for (int i = 0; i < 200; i++) {
            calls.refuse("BatchCreateSessions", Status.UNAVAILABLE.withDescription("for the test"));
        }
        try (Spanner fresh = calls.client(database, Duration.ofSeconds(5));
                SpannerStore unreachable = database.storeOf(fresh)) {
            assertThat(catchThrowable(() -> unreachable.inTransaction(transaction ->
                            unreachable.reserve(transaction, "s", 1).block().first())))
                    .isInstanceOf(Unavailable.class);
        }
    }
}
