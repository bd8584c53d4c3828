// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that break after the server has committed, before its answer has arrived. */
@Timeout(60)
@Tag("long")
class LostCommitAnswerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    static Stream<Arguments> modes() {
        return Stream.of(Engine.POSTGRESQL, Engine.MARIADB)
                .flatMap(engine -> Stream.of(
                                Allocation.async(),
                                Allocation.combined(),
                                Allocation.batch(5),
                                Allocation.asyncBatch(5, 2),
                                Allocation.adaptive(1, 8))
                        .map(mode -> Arguments.of(engine, mode)));
    }

    /** What a caller does with a number, in the number's transaction. */
    @FunctionalInterface
    private interface Work {
        long with(Connection transaction, long number);
    }

    /** The modes in which the number belongs to the transaction of the caller's work. */
    private enum Inside {
        SYNC {
            @Override
            long commit(JdbcStore store, StoreSequences sequences, Work work) {
                TransactionalSequence<Connection> invoices = TransactionalSequence.of(store, SEQUENCE);
                return store.inTransaction(connection -> work.with(connection, invoices.next(connection)));
            }
        },
        GROUPED {
            @Override
            long commit(JdbcStore store, StoreSequences sequences, Work work) {
                return sequences.grouped(SEQUENCE, store).commit(turn -> work.with(turn.transaction(), turn.next()));
            }
        },
        POOLED {
            @Override
            long commit(JdbcStore store, StoreSequences sequences, Work work) {
                PooledSequence<Connection> invoices = sequences.pooled(SEQUENCE, store);
                return store.inTransaction(connection -> work.with(connection, invoices.next(connection)));
            }
        };

        private static final String SEQUENCE = "invoice_id";

        abstract long commit(JdbcStore store, StoreSequences sequences, Work work);
    }

    static Stream<Arguments> inside() {
        return Stream.of(Engine.POSTGRESQL, Engine.MARIADB)
                .flatMap(engine -> Stream.of(Inside.values()).map(mode -> Arguments.of(engine, mode)));
    }

    @ParameterizedTest
    @MethodSource("inside")
    void in_the_transaction_of_the_work_the_outcome_is_unknown(Engine engine, Inside mode) throws Exception {
        Database direct = engine.freshDatabase();
        direct.execute("CREATE TABLE invoice (id BIGINT PRIMARY KEY)");
        LinkedUrl url = LinkedUrl.parse(direct.url());
        try (TcpLink link = url.open();
                JdbcStore store = open(url, link);
                StoreSequences sequences = StoreSequences.of(store)) {
            store.create(SequenceDefinition.of(Inside.SEQUENCE));
            long first = mode.commit(store, sequences, LostCommitAnswerTest::insert);
            List<AnswerLoss> losses = new ArrayList<>();
            assertThatThrownBy(() -> mode.commit(store, sequences, (connection, value) -> {
                        losses.add(link.loseCommitAnswers(1, 1));
                        return insert(connection, value);
                    }))
                    .isInstanceOf(CommitOutcomeUnknown.class);
            assertThat(losses).singleElement().extracting(AnswerLoss::lost).isEqualTo(1L);
            assertThat(direct.number("SELECT COUNT(*) FROM invoice")).isEqualTo(2);
            long last = mode.commit(store, sequences, LostCommitAnswerTest::insert);
            assertThat(direct.number("SELECT COUNT(*) FROM invoice")).isEqualTo(3);
            if (mode != Inside.POOLED) {
                assertThat(List.of(first, last)).containsExactly(1L, 3L);
                assertThat(direct.number("SELECT next_value FROM seriatim_sequence"))
                        .isEqualTo(4);
                return;
            }
            // If a refill takes long, POOLED draws from the counter: any numbers, but each once, in a row or in the
            // pool.
            String pool = " FROM seriatim_sequence_pool WHERE place > 0";
            String stored = "(SELECT COUNT(*) FROM (SELECT id FROM invoice UNION SELECT value" + pool + ") numbers"
                    + " WHERE id BETWEEN 1 AND next_value - 1)";
            assertThat(direct.number("SELECT next_value - 1 - " + stored + " FROM seriatim_sequence"))
                    .isZero();
            assertThat(direct.number("SELECT next_value - 1 - (SELECT COUNT(*)" + pool + ") FROM seriatim_sequence"))
                    .isEqualTo(3);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void own_transactions_go_on_with_a_fresh_range(Engine engine, Allocation mode) throws Exception {
        Database direct = engine.freshDatabase();
        Queue<Long> drawn = new ConcurrentLinkedQueue<>();
        AtomicInteger unknown = new AtomicInteger();
        SequenceListener listener = new SequenceListener() {
            @Override
            public void outcomeUnknown(String sequence, long count) {
                unknown.incrementAndGet();
            }
        };
        LinkedUrl url = LinkedUrl.parse(direct.url());
        try (TcpLink link = url.open();
                JdbcStore store = open(url, link);
                StoreSequences sequences = StoreSequences.builder(store)
                        .listener(listener)
                        .patience(Duration.ofSeconds(5))
                        .build()) {
            store.create(SequenceDefinition.of("s"));
            Sequence sequence = sequences.open("s", mode);
            Thread drawer = new Thread(() -> drawUntilInterrupted(sequence, drawn));
            drawer.start();
            await("some numbers", () -> drawn.size() > 20);
            AnswerLoss loss = link.loseCommitAnswers(1, 1);
            assertThat(loss.await(PATIENCE)).isTrue();
            await("the unknown outcome to be told", () -> unknown.get() > 0);
            int then = drawn.size();
            await("more numbers", () -> drawn.size() > then + 20);
            drawer.interrupt();
            drawer.join();
            assertThat(drawn).doesNotHaveDuplicates();
            assertThat(direct.number("SELECT next_value FROM seriatim_sequence") - 1)
                    .isGreaterThan(drawn.size());
        }
    }

    private static void drawUntilInterrupted(Sequence sequence, Queue<Long> drawn) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                drawn.add(sequence.next());
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (SequenceException e) {
                // The next call tries again.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static JdbcStore open(LinkedUrl url, TcpLink link) {
        return (JdbcStore) StoreDriver.open(url.through(link.port()));
    }

    private static long insert(Connection connection, long value) {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO invoice VALUES (" + value + ")");
            return value;
        } catch (SQLException e) {
            throw new AssertionError("the row could not be inserted", e);
        }
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("no end of waiting for " + what).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }
}
