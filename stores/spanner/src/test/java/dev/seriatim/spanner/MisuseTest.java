// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.SessionPoolOptions;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.TransactionContext;
import com.google.cloud.spanner.TransactionManager;
import com.google.spanner.v1.BeginTransactionRequest;
import com.google.spanner.v1.ReadRequest;
import com.google.spanner.v1.TransactionOptions;
import com.google.spanner.v1.TransactionOptions.IsolationLevel;
import com.google.spanner.v1.TransactionOptions.ReadWrite.ReadLockMode;
import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.ProgramRun;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.OpenStore;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Unintended uses of the client, and settings other than its defaults. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MisuseTest {

    private final EmulatorDatabase database = EmulatorDatabase.at(place(), place().numbers());

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    @Test
    void a_transaction_inside_another_on_one_thread_is_refused_with_what_to_do() {
        try (SpannerStore store = database.store()) {
            store.create(SequenceDefinition.of("s"));
            List<Consumer<TransactionContext>> calls = List.of(
                    outer -> store.reserve("s", 1),
                    outer -> store.inTransaction(inner -> store.reserve(inner, "s", 1)),
                    outer -> store.begin("s"),
                    outer -> store.raise("s", 5),
                    outer -> store.giveBack("s", new Block(1, 1, 1), 1));
            for (Consumer<TransactionContext> call : calls) {
                assertThatThrownBy(() -> database.client()
                                .readWriteTransaction()
                                .run(outer -> {
                                    assertThatThrownBy(() -> call.accept(outer))
                                            .as("call %s", calls.indexOf(call))
                                            .isInstanceOf(Misconfigured.class)
                                            .hasMessageContaining("another transaction")
                                            .hasMessageContaining("Sequences")
                                            .message()
                                            .doesNotContain("\n");
                                    throw new IllegalStateException("seen");
                                }))
                        .hasMessageContaining("seen");
            }
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(1);
        }
    }

    @Test
    void a_store_that_was_closed_says_so() {
        SpannerStore opened = database.store();
        opened.create(SequenceDefinition.of("s"));
        Spanner own = Client.to(EmulatorDatabase.PROJECT, Optional.of(database.address()), Duration.ofSeconds(5));
        SpannerStore over = database.storeOf(own);
        OpenStore natives = database.open("sequences=native");
        opened.close();
        own.close();
        natives.close();
        NumberColumn column =
                new NumberColumn(ColumnName.of("numbers", "number"), Optional.empty(), OptionalLong.empty());
        for (SpannerStore store : List.of(opened, over)) {
            List<Runnable> calls = List.of(
                    () -> store.begin("s"),
                    () -> store.inTransaction(transaction -> store.reserve(transaction, "s", 1)),
                    store::install,
                    () -> store.extreme(ColumnName.of("numbers", "number"), true),
                    () -> store.<ColumnScanner.Visitor>scan("s", column, state -> {
                        throw new AssertionError("nothing can be seen");
                    }));
            Stream.concat(calls.stream(), everyCall(store).stream()).forEach(MisuseTest::assertClosed);
        }
        everyCall(natives).forEach(MisuseTest::assertClosed);
        opened.close();
        natives.close();
    }

    private static List<Runnable> everyCall(OpenStore store) {
        return List.of(
                () -> store.reserve("s", 1),
                () -> store.describe("s"),
                store::list,
                () -> store.create(SequenceDefinition.of("t")),
                () -> store.alter("s", definition -> definition),
                () -> store.raise("s", 7),
                () -> store.restart("s", 7),
                () -> store.drop("s"));
    }

    private static void assertClosed(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(Unavailable.class).hasMessageContaining("closed; open another");
    }

    @Test
    void sessions_that_are_all_in_use_are_named_in_one_line_with_a_remedy() {
        SpannerOptions.Builder options =
                Client.options(EmulatorDatabase.PROJECT, Optional.of(database.address()), Duration.ofSeconds(5));
        options.setSessionPoolOption(SessionPoolOptions.newBuilder()
                .setMinSessions(1)
                .setMaxSessions(1)
                // The sequence must exist before the first draw, for which 500 ms may be too short.
                .setWaitForMinSessionsDuration(Duration.ofSeconds(20))
                .setAcquireSessionTimeoutDuration(Duration.ofMillis(500))
                .build());
        try (Spanner single = options.build().getService()) {
            DatabaseClient client = single.getDatabaseClient(database.id());
            SpannerStore store = database.storeOf(single);
            store.create(SequenceDefinition.of("s"));
            try (TransactionManager holder = client.transactionManager()) {
                holder.begin();
                List<Runnable> calls = List.of(
                        () -> store.reserve("s", 1),
                        () -> store.begin("s"),
                        () -> store.inTransaction(transaction -> store.reserve(transaction, "s", 1)));
                for (Runnable call : calls) {
                    assertThatThrownBy(call::run)
                            .isInstanceOf(Overloaded.class)
                            .hasMessageContaining("session")
                            .hasMessageContaining("setMaxSessions")
                            .message()
                            .doesNotContain("quota", "\tat ", "\n", "Exception")
                            .hasSizeLessThan(500);
                }
            }
            // Draws nothing afterwards: the client's pool loses a session with each wait that times out.
        }
    }

    @Test
    void a_program_that_forgets_to_close_its_store_ends_all_the_same() {
        ProgramRun run = ProgramRun.of(
                ForgetfulProgram.class.getName(), Map.of("SPANNER_EMULATOR_HOST", ""), List.of(database.url()));
        assertThat(run.out()).isEqualTo("1\n");
        assertThat(run.code()).isZero();
    }

    @Test
    void transactions_of_our_own_are_serializable_and_lock_whatever_the_client_is_set_to() {
        InterceptedCalls calls = new InterceptedCalls();
        SpannerOptions.Builder options = calls.options(database, Duration.ofSeconds(10));
        options.setDefaultTransactionOptions(SpannerOptions.Builder.DefaultReadWriteTransactionOptions.newBuilder()
                .setIsolationLevel(IsolationLevel.REPEATABLE_READ)
                .setReadLockMode(ReadLockMode.OPTIMISTIC)
                .build());
        try (Spanner lax = options.build().getService()) {
            SpannerStore store = database.storeOf(lax);
            store.create(SequenceDefinition.of("s"));
            store.reserve("s", 1);
            store.raise("s", 10);
            store.inTransaction(transaction -> store.reserve(transaction, "s", 1));
            try (StoreSequences sequences = StoreSequences.of(store)) {
                GroupedSequence<TransactionContext> grouped = sequences.grouped("s", store);
                long drawn = grouped.<Long, RuntimeException>commit(turn -> turn.next());
                assertThat(drawn).isEqualTo(11);
            }
            List<TransactionOptions> begun = Stream.concat(
                            calls.requests(ReadRequest.class).stream()
                                    .filter(read -> read.getTransaction().hasBegin())
                                    .map(read -> read.getTransaction().getBegin()),
                            calls.requests(BeginTransactionRequest.class).stream()
                                    .map(BeginTransactionRequest::getOptions))
                    .filter(TransactionOptions::hasReadWrite)
                    .toList();
            assertThat(begun).hasSizeGreaterThanOrEqualTo(4).allSatisfy(one -> {
                assertThat(one.getIsolationLevel()).isEqualTo(IsolationLevel.SERIALIZABLE);
                assertThat(one.getReadWrite().getReadLockMode()).isEqualTo(ReadLockMode.PESSIMISTIC);
            });
        }
    }

    @RepeatedTest(5)
    void an_interrupt_ends_the_repeating_of_an_aborted_transaction() throws InterruptedException {
        InterceptedCalls calls = new InterceptedCalls();
        try (Spanner watched = calls.client(database, Duration.ofSeconds(10))) {
            SpannerStore store = database.storeOf(watched);
            store.create(SequenceDefinition.of("s"));
            for (int i = 0; i < 2000; i++) {
                calls.refuse("Commit", Status.ABORTED);
            }
            Thread repeating = Thread.currentThread();
            Thread other = new Thread(() -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(700));
                repeating.interrupt();
            });
            other.start();
            Throwable caught =
                    catchThrowable(() -> store.inTransaction(transaction -> store.reserve(transaction, "s", 1)));
            assertThat(Thread.interrupted())
                    .as("the interrupt, after " + caught)
                    .isTrue();
            other.join();
            assertThat(caught).isInstanceOf(SequenceException.class);
            calls.deliver();
            assertThat(store.describe("s").nextValue()).isEqualTo(1);
        }
    }
}
