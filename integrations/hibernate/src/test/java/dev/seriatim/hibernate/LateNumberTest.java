// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.Table;
import java.sql.SQLException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.Filter;
import org.hibernate.annotations.FilterDef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A number that is drawn when the row gets a state: once, and never again. */
@Tag("long")
class LateNumberTest {

    enum Status {
        DRAFT,
        ISSUED,
        PAID
    }

    @Entity
    @Table(name = "bill")
    static class Bill {
        @Id
        @Seriatim
        long id;

        @Enumerated(EnumType.STRING)
        Status status = Status.DRAFT;

        @SeriatimNumber(of = "status", when = "ISSUED", pattern = "B-{seq:3}")
        @Nullable
        String number;

        @Nullable
        String note;
    }

    @Entity
    @Table(name = "item")
    static class Item {
        @Id
        Long id;

        @SeriatimNumber
        @Nullable
        Long number;

        String status = "DRAFT";

        @SeriatimNumber(of = "status", when = "ISSUED")
        @Nullable
        Long late;
    }

    @Entity
    @Table(name = "filtered")
    @FilterDef(name = "drafts")
    @Filter(name = "drafts", condition = "status = 'DRAFT'")
    static class Filtered {
        @Id
        Long id;

        @SeriatimNumber(of = "status", when = "ISSUED")
        @Nullable
        Long number;

        String status = "DRAFT";
    }

    /** A table for each concrete class, below an abstract one. */
    @Entity
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    abstract static class Document {
        @Id
        Long id;

        String status = "DRAFT";

        @SeriatimNumber(of = "status", when = "ISSUED")
        @Nullable
        Long number;
    }

    @Entity
    @Table(name = "letter")
    static class Letter extends Document {}

    private final Database database;
    private final SessionFactory factory;

    LateNumberTest() {
        database = Engine.POSTGRESQL.freshDatabase();
        factory = Factories.open(Factories.settings(database), Bill.class);
    }

    @AfterEach
    void close() {
        factory.close();
    }

    private long persist(Status status) {
        return factory.fromTransaction(session -> {
            Bill bill = new Bill();
            bill.status = status;
            bill.number = "forged";
            session.persist(bill);
            return bill.id;
        });
    }

    private @Nullable String change(long id, Consumer<Bill> change) {
        factory.inTransaction(session -> change.accept(session.find(Bill.class, id)));
        return number(id);
    }

    private @Nullable String number(long id) {
        return factory.fromSession(session -> session.find(Bill.class, id).number);
    }

    private long counter() throws SQLException {
        return database.number("SELECT next_value FROM seriatim_sequence WHERE name = 'bill_number'");
    }

    /** The row that another session has issued is not mistaken for one without a number. */
    @Test
    void a_row_that_a_filter_hides_is_not_numbered_again() throws Exception {
        try (SessionFactory filtered = Factories.open(Factories.settings(database), Filtered.class)) {
            Filtered draft = new Filtered();
            draft.id = 1L;
            filtered.inTransaction(session -> session.persist(draft));
            assertThatThrownBy(() -> filtered.inTransaction(late -> {
                        late.enableFilter("drafts");
                        Filtered stale = late.find(Filtered.class, 1L);
                        filtered.inTransaction(session -> session.find(Filtered.class, 1L).status = "ISSUED");
                        stale.status = "ISSUED";
                    }))
                    .hasStackTraceContaining("StaleObjectStateException");
            assertThat(database.number("SELECT number FROM filtered")).isEqualTo(1);
            assertThat(database.number("SELECT next_value FROM seriatim_sequence WHERE name = 'filtered_number'"))
                    .isEqualTo(2);
        }
    }

    @Test
    void a_table_per_class_below_an_abstract_one_is_numbered() throws Exception {
        try (SessionFactory letters = Factories.open(Factories.settings(database), Document.class, Letter.class)) {
            Letter draft = new Letter();
            draft.id = 1L;
            letters.inTransaction(session -> session.persist(draft));
            letters.inTransaction(session -> session.find(Document.class, 1L).status = "ISSUED");
            assertThat(database.number("SELECT number FROM letter")).isEqualTo(1);
        }
    }

    @Test
    void a_draft_has_none_and_gets_one_when_it_is_issued() throws Exception {
        long first = persist(Status.DRAFT);
        long second = persist(Status.ISSUED);
        assertThat(number(first)).isNull();
        assertThat(number(second)).isEqualTo("B-001");
        assertThat(change(first, bill -> bill.note = "still a draft")).isNull();
        assertThat(change(first, bill -> bill.status = Status.ISSUED)).isEqualTo("B-002");
        assertThat(counter()).isEqualTo(3);
    }

    @Test
    void it_is_never_renumbered() throws Exception {
        long id = persist(Status.ISSUED);
        assertThat(change(id, bill -> bill.status = Status.PAID)).isEqualTo("B-001");
        assertThat(change(id, bill -> bill.status = Status.ISSUED)).isEqualTo("B-001");
        assertThat(change(id, bill -> bill.number = null)).isEqualTo("B-001");
        assertThat(change(id, bill -> bill.number = "B-999")).isEqualTo("B-001");
        assertThat(counter()).isEqualTo(2);
    }

    @Test
    void a_detached_entity_without_its_number_keeps_it() throws Exception {
        long id = persist(Status.ISSUED);
        Bill detached = new Bill();
        detached.id = id;
        detached.status = Status.ISSUED;
        detached.note = "merged";
        factory.inTransaction(session -> session.merge(detached));
        assertThat(number(id)).isEqualTo("B-001");
        detached.note = "updated";
        factory.inStatelessTransaction(session -> session.update(detached));
        assertThat(number(id)).isEqualTo("B-001");
        assertThat(counter()).isEqualTo(2);
    }

    @Test
    void a_rollback_takes_it_back_and_the_retry_draws_again() throws Exception {
        long id = persist(Status.DRAFT);
        Bill bill = factory.fromSession(session -> session.find(Bill.class, id));
        bill.status = Status.ISSUED;
        assertThatThrownBy(() -> factory.inTransaction(session -> {
                    Bill merged = session.merge(bill);
                    session.flush();
                    bill.number = merged.number;
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        assertThat(bill.number).isEqualTo("B-001");
        assertThat(counter()).isEqualTo(1);
        persist(Status.ISSUED);
        factory.inTransaction(session -> session.merge(bill));
        assertThat(number(id)).isEqualTo("B-002");
    }

    /** Two users issue the same draft, which each session has loaded before. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_row_that_two_sessions_issue_at_once_is_numbered_once(Engine engine) throws Exception {
        Database other = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(other), Bill.class)) {
            CyclicBarrier both = new CyclicBarrier(2);
            for (int i = 0; i < 10; i++) {
                Bill bill = new Bill();
                factory.inTransaction(session -> session.persist(bill));
                Threads.<Void>run(2, thread -> () -> {
                    mayBeOutdated(
                            other,
                            () -> factory.inTransaction(session -> {
                                Bill own = session.find(Bill.class, bill.id);
                                await(both);
                                own.status = Status.ISSUED;
                            }));
                    return null;
                });
            }
            assertThat(other.number("SELECT count(DISTINCT number) FROM bill")).isEqualTo(10);
            assertThat(other.number("SELECT next_value FROM seriatim_sequence WHERE name = 'bill_number'"))
                    .isEqualTo(11);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_row_that_two_stateless_sessions_issue_at_once_is_numbered_once(Engine engine) throws Exception {
        Database other = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(other), Bill.class)) {
            CyclicBarrier both = new CyclicBarrier(2);
            for (int i = 0; i < 10; i++) {
                Bill bill = new Bill();
                factory.inTransaction(session -> session.persist(bill));
                Threads.<Void>run(2, thread -> () -> {
                    Bill own = new Bill();
                    own.id = bill.id;
                    own.status = Status.ISSUED;
                    mayBeOutdated(
                            other,
                            () -> factory.inStatelessTransaction(session -> {
                                session.createNativeQuery("select count(*) from bill", Long.class)
                                        .getSingleResult(); // MariaDB's snapshot
                                await(both);
                                session.update(own);
                            }));
                    return null;
                });
            }
            assertThat(other.number("SELECT count(DISTINCT number) FROM bill")).isEqualTo(10);
            assertThat(other.number("SELECT next_value FROM seriatim_sequence WHERE name = 'bill_number'"))
                    .isEqualTo(11);
        }
    }

    /** With MariaDB's {@code innodb_snapshot_isolation}, the default since 11.6.2, the second transaction fails. */
    private static void mayBeOutdated(Database database, Runnable transaction) throws SQLException {
        try {
            transaction.run();
        } catch (OptimisticLockException e) {
            assertThat(e).hasMessageContaining("Record has changed since last read");
            assertThat(database.number("SELECT @@innodb_snapshot_isolation")).isEqualTo(1);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the other one failed", e);
        }
    }

    @Test
    void who_has_read_the_draft_before_does_not_write_the_missing_number_back() throws Exception {
        long id = persist(Status.DRAFT);
        factory.inTransaction(session -> {
            Bill early = session.find(Bill.class, id);
            assertThat(change(id, bill -> bill.status = Status.ISSUED)).isEqualTo("B-001");
            early.note = "still a draft, as far as this session knows";
        });
        assertThat(number(id)).isEqualTo("B-001");
        assertThat(change(id, bill -> bill.status = Status.ISSUED)).isEqualTo("B-001");
        assertThat(counter()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void an_upsert_numbers_a_new_row_and_keeps_the_number_of_another(Engine engine) throws Exception {
        Database other = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(other), Item.class)) {
            for (String status : new String[] {"DRAFT", "DRAFT", "ISSUED", "ISSUED", "PAID"}) {
                Item item = new Item();
                item.id = 5L;
                item.status = status;
                factory.inStatelessTransaction(session -> session.upsert(item));
                Item read = factory.fromSession(session -> session.find(Item.class, 5L));
                assertThat(read.number).isEqualTo(1);
                assertThat(read.late).isEqualTo(status.equals("DRAFT") ? null : Long.valueOf(1));
            }
            Item issued = new Item();
            issued.id = 6L;
            issued.status = "ISSUED";
            factory.inStatelessTransaction(session -> session.upsert(issued));
            assertThat(other.number("SELECT late FROM item WHERE id = 6")).isEqualTo(2);
            assertThat(other.number("SELECT number FROM item WHERE id = 6")).isEqualTo(2);
        }
    }

    /** Both find no such row; the second one is refused, or stores the number of the first. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_row_that_two_upserts_insert_at_once_is_numbered_once(Engine engine) throws Exception {
        Database other = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(other), Item.class)) {
            CyclicBarrier both = new CyclicBarrier(2);
            for (long id = 1; id <= 10; id++) {
                Item item = new Item();
                item.id = id;
                Threads.<Void>run(2, thread -> () -> {
                    Item own = new Item();
                    own.id = item.id;
                    try {
                        factory.inStatelessTransaction(session -> {
                            session.createNativeQuery("select count(*) from item", Long.class)
                                    .getSingleResult();
                            await(both);
                            session.upsert(own);
                        });
                    } catch (PersistenceException stored) {
                        // by the other one in the meantime
                    }
                    return null;
                });
                assertThat(other.number("SELECT max(number) FROM item")).isEqualTo(id);
            }
            assertThat(other.number("SELECT next_value FROM seriatim_sequence WHERE name = 'item_number'"))
                    .isEqualTo(11);
        }
    }

    /** Writes that the session has not yet sent count. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_row_that_a_stateless_batch_writes_twice_is_numbered_once(Engine engine) throws Exception {
        Database other = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(other), Item.class)) {
            for (boolean upserts : new boolean[] {true, false}) {
                factory.inStatelessTransaction(session -> {
                    session.setJdbcBatchSize(10);
                    for (long id = 1; id <= 10; id++) {
                        Item item = new Item();
                        item.id = id;
                        item.status = upserts && id > 5 ? "DRAFT" : "ISSUED";
                        for (int i = 0; i < 2; i++) {
                            item.number = null;
                            item.late = null;
                            if (upserts) {
                                session.upsert(item);
                            } else {
                                session.update(item);
                            }
                        }
                    }
                });
            }
            for (String column : new String[] {"number", "late"}) {
                assertThat(other.number("SELECT count(DISTINCT %s) FROM item".formatted(column)))
                        .isEqualTo(10);
                assertThat(other.number(
                                "SELECT next_value FROM seriatim_sequence WHERE name = 'item_%s'".formatted(column)))
                        .isEqualTo(11);
            }
        }
    }

    /** Hibernate inserts a persisted entity, and then updates it, in one flush. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_row_that_changes_before_its_insert_is_flushed_is_numbered_once(Engine engine) throws Exception {
        Database other = engine.freshDatabase();
        try (SessionFactory factory = Factories.open(Factories.settings(other), Bill.class)) {
            factory.inTransaction(session -> {
                for (int i = 0; i < 9; i++) {
                    Bill bill = new Bill();
                    bill.status = i % 3 == 0 ? Status.ISSUED : Status.DRAFT;
                    session.persist(bill);
                    bill.note = "changed";
                    if (i % 3 == 1) {
                        bill.status = Status.ISSUED;
                    }
                }
            });
            assertThat(other.number("SELECT count(*) FROM bill WHERE note = 'changed'"))
                    .isEqualTo(9);
            assertThat(other.number("SELECT count(DISTINCT number) FROM bill")).isEqualTo(6);
            assertThat(other.number("SELECT next_value FROM seriatim_sequence WHERE name = 'bill_number'"))
                    .isEqualTo(7);
        }
    }
}
