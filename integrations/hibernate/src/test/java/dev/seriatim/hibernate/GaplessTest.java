// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Gapless identifiers and numbers: after any rollbacks, the committed rows are 1 … n. */
class GaplessTest {

    @Entity
    @Table(name = "invoice")
    static class Invoice {
        @Id
        @Seriatim(guarantee = Guarantee.GAPLESS)
        long id;

        @SeriatimNumber
        Long number;
    }

    /** The same entity with a number that does not roll back: the control. */
    @Entity
    @Table(name = "invoice")
    static class Control {
        @Id
        @Seriatim("invoice_id")
        long id;

        @SeriatimNumber(value = "control", guarantee = Guarantee.UNIQUE)
        Long number;
    }

    @Entity
    @Table(name = "memo")
    static class Memo {
        @Id
        @Seriatim
        Long id;

        @SeriatimNumber
        @Column(updatable = false)
        Long number;

        String text;
    }

    private static class Rollback extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static void assertOneTo(long count, Database database, String column) throws SQLException {
        assertThat(database.number("SELECT count(*) FROM invoice")).isEqualTo(count);
        assertThat(database.number("SELECT count(DISTINCT %s) FROM invoice".formatted(column)))
                .isEqualTo(count);
        assertThat(database.number("SELECT coalesce(max(%s), 0) FROM invoice".formatted(column)))
                .isEqualTo(count);
    }

    private static long nextValue(Database database, String sequence) throws SQLException {
        return database.number("SELECT next_value FROM seriatim_sequence WHERE name = '%s'".formatted(sequence));
    }

    /** Runs transactions of up to three invoices on four threads, many of which roll back; returns the remaining ones. */
    private static long mixed(SessionFactory factory, Class<?> entity, int rollbacksEach) throws Exception {
        return Threads.<Long>run(4, thread -> () -> {
                    Random random = new Random(thread);
                    long kept = 0;
                    for (int rollbacks = 0; rollbacks < rollbacksEach; ) {
                        int count = 1 + random.nextInt(3);
                        boolean rollsBack = random.nextInt(4) > 0;
                        try {
                            factory.inTransaction(session -> {
                                for (int i = 0; i < count; i++) {
                                    session.persist(created(entity));
                                    if (i == 0) {
                                        session.flush();
                                    }
                                }
                                if (rollsBack) {
                                    session.flush();
                                    throw new Rollback();
                                }
                            });
                            kept += count;
                        } catch (Rollback e) {
                            rollbacks++;
                        }
                    }
                    return kept;
                })
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static Object created(Class<?> entity) {
        return entity == Invoice.class ? new Invoice() : new Control();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void after_a_thousand_rollbacks_the_table_is_one_to_n(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Invoice.class)) {
            long kept = mixed(factory, Invoice.class, 250);
            assertOneTo(kept, database, "id");
            assertOneTo(kept, database, "number");
            assertThat(nextValue(database, "invoice_id")).isEqualTo(kept + 1);
            assertThat(nextValue(database, "invoice_number")).isEqualTo(kept + 1);
        }
    }

    @Test
    void numbers_drawn_outside_the_transaction_have_gaps() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Control.class)) {
            long kept = mixed(factory, Control.class, 10);
            assertThat(database.number("SELECT max(number) FROM invoice")).isGreaterThan(kept);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_rollback_to_a_savepoint_takes_its_numbers_back(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Invoice.class)) {
            factory.inTransaction(session -> {
                session.persist(new Invoice());
                session.flush();
                AtomicReference<Savepoint> savepoint = new AtomicReference<>();
                session.doWork(connection -> savepoint.set(connection.setSavepoint()));
                session.persist(new Invoice());
                session.flush();
                session.clear();
                session.doWork(connection -> connection.rollback(savepoint.get()));
                session.persist(new Invoice());
            });
            assertOneTo(2, database, "id");
            assertOneTo(2, database, "number");
        }
    }

    @Test
    void a_retry_with_the_same_object_is_numbered_again() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Invoice.class)) {
            Invoice retried = new Invoice();
            assertThatThrownBy(() -> factory.inTransaction(session -> {
                        session.persist(retried);
                        session.flush();
                        throw new Rollback();
                    }))
                    .isInstanceOf(Rollback.class);
            assertThat(retried.number).isEqualTo(1);
            factory.inTransaction(session -> session.persist(new Invoice()));
            retried.id = 0;
            factory.inTransaction(session -> session.persist(retried));
            assertThat(retried.number).isEqualTo(2);
            assertOneTo(2, database, "number");
        }
    }

    @Test
    void what_the_program_assigns_after_the_insert_is_ignored() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Invoice.class)) {
            Invoice invoice = new Invoice();
            invoice.number = 99L;
            factory.inTransaction(session -> session.persist(invoice));
            factory.inTransaction(session -> session.find(Invoice.class, invoice.id).number = 7L);
            assertOneTo(1, database, "number");
        }
    }

    @Test
    void a_number_in_a_column_that_is_not_updatable_stays() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Memo.class)) {
            Memo memo = new Memo();
            factory.inTransaction(session -> session.persist(memo));
            Memo other = new Memo();
            other.id = memo.id;
            other.text = "changed";
            factory.inStatelessTransaction(session -> session.update(other));
            assertThat(factory.<Long>fromTransaction(session -> session.merge(other).number))
                    .isEqualTo(1);
            assertThat(database.number("SELECT number FROM memo WHERE text = 'changed'"))
                    .isEqualTo(1);
            assertThat(nextValue(database, "memo_number")).isEqualTo(2);
        }
    }

    @Test
    void outside_a_transaction_nothing_is_drawn() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Invoice.class);
                Session session = factory.openSession()) {
            assertThatThrownBy(() -> session.persist(new Invoice()))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("'invoice_id'")
                    .hasMessageContaining("begin one first");
            assertThat(nextValue(database, "invoice_id")).isEqualTo(1);
        }
    }

    @Test
    void a_caller_waits_for_the_transaction_that_holds_the_counter() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Invoice.class);
                Connection other = database.connect()) {
            other.setAutoCommit(false);
            try (var statement = other.createStatement()) {
                statement.execute("SET LOCAL lock_timeout = 1");
                factory.inTransaction(session -> {
                    session.persist(new Invoice());
                    assertThatThrownBy(() -> statement.execute(
                                    "UPDATE seriatim_sequence SET next_value = 99 WHERE name = 'invoice_id'"))
                            .isInstanceOf(SQLException.class)
                            .hasMessageContaining("lock timeout");
                });
            }
            other.rollback();
            assertOneTo(1, database, "id");
        }
    }

    /** The outer transaction waits for the inner one, which would wait for the counter. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void a_second_session_of_a_thread_that_holds_the_counter_is_refused_at_once(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Invoice.class, Memo.class)) {
            factory.inTransaction(outer -> {
                outer.persist(new Invoice());
                outer.flush();
                long began = System.nanoTime();
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> factory.inTransaction(inner -> inner.persist(new Invoice())))
                            .isInstanceOf(SequenceException.Misconfigured.class)
                            .hasMessageContaining("'invoice_id'")
                            .hasMessageContaining("another session of this thread")
                            .hasMessageContaining("draw in that session");
                }
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
                factory.inTransaction(inner -> inner.persist(new Memo())); // from another sequence
                outer.persist(new Invoice());
            });
            factory.inTransaction(session -> session.persist(new Invoice()));
            assertOneTo(3, database, "id");
            assertOneTo(3, database, "number");
        }
    }

    @Test
    void a_session_waits_for_anothers_transaction_that_its_thread_does_not_use() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Invoice.class)) {
            for (String end : List.of("commit", "rollback", "close")) { // each on this thread
                Session ended = begun(factory);
                if (end.equals("commit")) {
                    ended.getTransaction().commit();
                } else if (end.equals("rollback")) {
                    ended.getTransaction().rollback();
                }
                if (end.equals("close")) {
                    ended.getTransaction().rollback();
                    ended.close();
                }
                waitsForAnotherProcess(factory, database);
                ended.close();
            }
            try (Session passedOn = begun(factory)) {
                Threads.run(1, thread -> () -> {
                    passedOn.getTransaction().commit();
                    return 0;
                });
                waitsForAnotherProcess(factory, database);
            }
            Session other = Threads.run(1, thread -> () -> begun(factory)).get(0);
            CompletableFuture<Void> commit = endsOnceSomeoneWaits(database, other.getTransaction()::commit);
            factory.inTransaction(session -> session.persist(new Invoice()));
            commit.get(10, TimeUnit.SECONDS);
            other.close();
            assertOneTo(database.number("SELECT count(*) FROM invoice"), database, "id");
        }
    }

    /** A session that has drawn in an open transaction. */
    private static Session begun(SessionFactory factory) {
        Session session = factory.openSession();
        session.beginTransaction();
        session.persist(new Invoice());
        return session;
    }

    /** Draws while the counter is locked for longer than a draw waits that looks hopeless. */
    private static void waitsForAnotherProcess(SessionFactory factory, Database database) throws Exception {
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM seriatim_sequence WHERE name = 'invoice_id' FOR UPDATE");
            CompletableFuture<Void> end = endsOnceSomeoneWaits(database, other::rollback);
            factory.inTransaction(session -> session.persist(new Invoice()));
            end.get(10, TimeUnit.SECONDS);
        }
    }

    private interface End {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> endsOnceSomeoneWaits(Database database, End end) {
        return CompletableFuture.runAsync(() -> {
            try {
                while (database.number("SELECT count(*) FROM pg_stat_activity"
                                + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
                        == 0) {
                    Thread.sleep(20);
                }
                Thread.sleep(500); // longer than a refusal takes
                end.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void a_rollback_to_a_savepoint_that_frees_the_counter_lets_a_second_session_draw() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Memo.class)) {
            factory.inTransaction(outer -> {
                AtomicReference<Savepoint> savepoint = new AtomicReference<>();
                outer.doWork(connection -> savepoint.set(connection.setSavepoint()));
                outer.persist(new Memo());
                outer.flush();
                outer.clear();
                outer.doWork(connection -> connection.rollback(savepoint.get()));
                factory.inTransaction(inner -> inner.persist(new Memo()));
                outer.persist(new Memo());
            });
            assertThat(nextValue(database, "memo_number")).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_draw_waits_no_longer_than_the_transactions_timeout_has_left(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Invoice.class);
                Session holder = begun(factory)) {
            long began = System.nanoTime();
            Threads.run(1, thread -> () -> {
                try (Session session = factory.openSession()) {
                    session.getTransaction().setTimeout(2);
                    session.beginTransaction();
                    assertThatThrownBy(() -> session.persist(new Invoice()))
                            .isInstanceOf(SequenceException.Overloaded.class);
                    session.getTransaction().rollback();
                }
                return 0;
            });
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(7));
            holder.getTransaction().rollback();
        }
    }

    /** As Spring's {@code @Transactional(readOnly = true)} prepares the connection; {@code saveAndFlush} flushes all the same. */
    @Test
    void a_flush_in_a_read_only_transaction_is_refused_as_one_that_no_retry_mends() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(database), Memo.class);
                Session session = factory.openSession()) {
            session.setHibernateFlushMode(FlushMode.MANUAL);
            session.doWork(connection -> connection.setReadOnly(true));
            session.beginTransaction();
            session.persist(new Memo());
            assertThatThrownBy(session::flush)
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("'memo_number'")
                    .hasMessageContaining("@Transactional(readOnly = true); draw in a read-write transaction");
            session.getTransaction().rollback();
            session.doWork(connection -> connection.setReadOnly(false));
        }
    }
}
