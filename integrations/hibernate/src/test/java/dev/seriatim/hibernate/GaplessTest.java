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
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
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
}
