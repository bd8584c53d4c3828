// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StaleObjectStateException;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.Filter;
import org.hibernate.annotations.FilterDef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A number that is drawn when the transaction commits, after its flushes. */
class NumberAtCommitTest {

    @Entity
    @Table(name = "bill")
    @FilterDef(name = "none")
    @Filter(name = "none", condition = "1 = 0")
    static class Bill {
        @Id
        Long id;

        @SeriatimNumber(atCommit = true)
        @Nullable
        Long number;

        @SeriatimNumber(atCommit = true, pattern = "B-{seq:3}", of = "status", when = "ISSUED")
        @Nullable
        String issued;

        String status = "DRAFT";

        @Nullable
        String note;

        @Version
        long version;
    }

    @Entity
    @Table(name = "receipt")
    static class Receipt {
        @Id
        Long id;

        @SeriatimNumber(atCommit = true)
        @Nullable
        Integer number;
    }

    private @Nullable SessionFactory opened;
    private Database database = Engine.H2.freshDatabase();

    private SessionFactory open(Engine engine) {
        database = engine.freshDatabase();
        opened = Factories.open(Factories.settings(database), Bill.class, Receipt.class);
        return opened;
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    private static Bill bill(long id) {
        Bill bill = new Bill();
        bill.id = id;
        return bill;
    }

    private long numberOf(long id) throws SQLException {
        return database.number("SELECT COALESCE(SUM(number), 0) FROM bill WHERE id = " + id);
    }

    private long drawn() throws SQLException {
        return database.number("SELECT next_value - 1 FROM seriatim_sequence WHERE name = 'bill_number'");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void the_entity_has_its_number_after_the_commit_and_others_go_first(Engine engine) throws SQLException {
        SessionFactory factory = open(engine);
        Bill first = bill(1);
        first.number = 77L; // of a program that knows better
        try (Session session = factory.openSession()) {
            session.beginTransaction();
            session.persist(first);
            session.flush();
            assertThat(first.number).isNull();
            Bill second = bill(2);
            factory.inTransaction(other -> other.persist(second));
            assertThat(second.number).isEqualTo(1);
            first.note = "changed";
            session.flush();
            session.getTransaction().commit();
            assertThat(first.number).isEqualTo(2);
            long version = first.version;
            session.beginTransaction();
            first.note = "changed again";
            session.getTransaction().commit();
            assertThat(first.number).isEqualTo(2);
            assertThat(first.version).isEqualTo(version + 1);
        }
        assertThat(numberOf(1)).isEqualTo(2);
        assertThat(factory.<Bill>fromSession(session -> session.find(Bill.class, 1L)).note)
                .isEqualTo("changed again");
        assertThat(drawn()).isEqualTo(2);
    }

    @Test
    void what_is_undone_or_gone_draws_nothing() throws SQLException {
        SessionFactory factory = open(Engine.POSTGRESQL);
        assertThatThrownBy(() -> factory.inTransaction(session -> {
                    session.persist(bill(1));
                    session.flush();
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        factory.inTransaction(session -> {
            Bill removed = bill(2);
            session.persist(removed);
            session.flush();
            session.remove(removed);
            session.persist(bill(3));
            session.persist(bill(4));
            session.flush();
            session.createMutationQuery("delete from NumberAtCommitTest$Bill where id = 3")
                    .executeUpdate();
            session.createNativeMutationQuery("update bill set number = 500 where id = 4")
                    .executeUpdate();
            session.persist(bill(5));
        });
        assertThat(numberOf(4)).isEqualTo(500);
        assertThat(numberOf(5)).isEqualTo(1);
        assertThat(drawn()).isEqualTo(1);
    }

    @Test
    void a_session_that_is_cleared_or_flushed_by_hand_numbers_its_rows() throws SQLException {
        SessionFactory factory = open(Engine.POSTGRESQL);
        factory.inTransaction(session -> {
            session.setHibernateFlushMode(FlushMode.MANUAL);
            session.persist(bill(1));
            session.flush();
            session.clear();
            session.persist(bill(2)); // never flushed
        });
        assertThat(numberOf(1)).isEqualTo(1);
        assertThat(drawn()).isEqualTo(1);
        assertThat(database.number("SELECT COUNT(*) FROM bill")).isEqualTo(1);
    }

    @Test
    void a_filter_that_hides_the_row_fails_the_commit() throws SQLException {
        SessionFactory factory = open(Engine.POSTGRESQL);
        assertThatThrownBy(() -> factory.inTransaction(session -> {
                    session.enableFilter("none");
                    session.persist(bill(1));
                }))
                .isInstanceOf(StaleObjectStateException.class);
        assertThat(database.number("SELECT COUNT(*) FROM bill")).isZero();
        assertThat(drawn()).isZero();
    }

    @Test
    void a_database_without_a_server_numbers_them_too() throws SQLException {
        SessionFactory factory = open(Engine.H2);
        for (long id = 1; id <= 3; id++) {
            Bill bill = bill(id);
            factory.inTransaction(session -> session.persist(bill));
            assertThat(bill.number).isEqualTo(id);
            assertThat(numberOf(id)).isEqualTo(id);
        }
    }

    @Test
    void a_late_number_is_drawn_once_with_the_commit() throws SQLException {
        SessionFactory factory = open(Engine.POSTGRESQL);
        factory.inTransaction(session -> session.persist(bill(1)));
        Bill issued = factory.fromTransaction(session -> {
            Bill bill = session.find(Bill.class, 1L);
            bill.status = "ISSUED";
            session.flush();
            assertThat(bill.issued).isNull();
            bill.note = "flushed twice";
            session.flush();
            return bill;
        });
        assertThat(issued.issued).isEqualTo("B-001");
        factory.inTransaction(session -> session.find(Bill.class, 1L).note = "later");
        assertThat(factory.<Bill>fromSession(session -> session.find(Bill.class, 1L)).issued)
                .isEqualTo("B-001");
        assertThat(database.number("SELECT next_value FROM seriatim_sequence WHERE name = 'bill_issued'"))
                .isEqualTo(2);
    }

    @Test
    void a_stateless_session_numbers_its_rows_in_their_order() throws SQLException {
        SessionFactory factory = open(Engine.POSTGRESQL);
        Bill first = bill(7);
        try (StatelessSession session = factory.openStatelessSession()) {
            session.beginTransaction();
            session.insert(first);
            session.insert(bill(3));
            session.getTransaction().commit();
            assertThat(first.number).isEqualTo(1);
            session.beginTransaction();
            session.insert(bill(4));
            session.getTransaction().rollback();
        }
        assertThat(numberOf(3)).isEqualTo(2);
        assertThat(drawn()).isEqualTo(2);
    }

    @Test
    void without_a_transaction_nothing_is_stored() throws SQLException {
        SessionFactory factory = open(Engine.POSTGRESQL);
        try (StatelessSession session = factory.openStatelessSession()) {
            assertThatThrownBy(() -> session.insert(bill(1)))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("begin one first");
        }
        assertThat(database.number("SELECT COUNT(*) FROM bill")).isZero();
    }

    @Test
    void a_draw_that_fails_takes_the_transaction_back() throws SQLException {
        SessionFactory factory = open(Engine.POSTGRESQL);
        database.execute("UPDATE seriatim_sequence SET max_value = 1 WHERE name = 'bill_number'");
        assertThatThrownBy(() -> factory.inTransaction(session -> {
                    session.persist(bill(1));
                    session.persist(bill(2));
                }))
                .isInstanceOf(SequenceException.Exhausted.class);
        assertThat(database.number("SELECT COUNT(*) FROM bill")).isZero();
        factory.inTransaction(session -> session.persist(bill(1)));
        assertThat(numberOf(1)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void many_transactions_with_rollbacks_leave_no_gap(boolean postgresql) throws SQLException {
        SessionFactory factory = open(postgresql ? Engine.POSTGRESQL : Engine.MARIADB);
        CompletableFuture.allOf(IntStream.range(0, 4)
                        .mapToObj(thread -> CompletableFuture.runAsync(
                                () -> {
                                    for (int turn = 0; turn < 15; turn++) {
                                        long id = 100L * thread + 2L * turn;
                                        boolean commits = turn % 5 != 4;
                                        try (Session session = factory.openSession()) {
                                            session.beginTransaction();
                                            session.persist(bill(id));
                                            session.flush();
                                            session.persist(bill(id + 1));
                                            Receipt receipt = new Receipt();
                                            receipt.id = id;
                                            session.persist(receipt);
                                            if (commits) {
                                                session.getTransaction().commit();
                                            } else {
                                                session.getTransaction().rollback();
                                            }
                                        }
                                    }
                                },
                                task -> new Thread(task).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
        List<Long> numbers = factory.fromSession(session -> session.createSelectionQuery(
                        "select b.number from NumberAtCommitTest$Bill b order by b.number", Long.class)
                .getResultList());
        assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, 96).boxed().toList());
        assertThat(database.number("SELECT MAX(number) FROM receipt")).isEqualTo(48);
        assertThat(drawn()).isEqualTo(96);
    }

    @Entity
    static class Primitive {
        @Id
        Long id;

        @SeriatimNumber(atCommit = true)
        long number;
    }

    @Entity
    static class Filled {
        @Id
        Long id;

        @SeriatimNumber(atCommit = true)
        @Column(nullable = false)
        @Nullable
        Long number;
    }

    @Entity
    static class Fixed {
        @Id
        Long id;

        @SeriatimNumber(atCommit = true)
        @Column(updatable = false)
        @Nullable
        Long number;
    }

    @Entity
    static class Unordered {
        @Id
        Long id;

        @SeriatimNumber(atCommit = true, guarantee = Guarantee.UNIQUE)
        @Nullable
        Long number;
    }

    @Entity
    @SecondaryTable(name = "more")
    static class Split {
        @Id
        Long id;

        @SeriatimNumber(atCommit = true)
        @Nullable
        Long number;

        @Column(table = "more")
        @Nullable
        String note;
    }

    @Entity
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Joined {
        @Id
        Long id;

        @SeriatimNumber(atCommit = true)
        @Nullable
        Long number;
    }

    @Entity
    static class Below extends Joined {}

    @Test
    void a_mapping_that_cannot_wait_for_the_commit_is_refused() {
        List<String> messages = new ArrayList<>();
        for (Class<?> entity :
                List.of(Primitive.class, Filled.class, Fixed.class, Unordered.class, Split.class, Below.class)) {
            Class<?>[] entities =
                    entity == Below.class ? new Class<?>[] {Joined.class, entity} : new Class<?>[] {entity};
            assertThatThrownBy(() -> Factories.open(Factories.settings(database), entities))
                    .as(entity.getSimpleName())
                    .satisfies(thrown -> messages.add(root(thrown)));
        }
        assertThat(messages.subList(0, 3))
                .allMatch(message -> message.contains("make its column nullable and updatable"));
        assertThat(messages.get(3)).contains("remove atCommit");
        assertThat(messages.subList(4, 6)).allMatch(message -> message.contains("map it to a single table"));
    }

    private static String root(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && !(root instanceof Misconfigured)) {
            root = root.getCause();
        }
        assertThat(root).isInstanceOf(Misconfigured.class);
        return String.valueOf(root.getMessage());
    }
}
