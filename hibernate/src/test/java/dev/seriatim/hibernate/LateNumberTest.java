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
import jakarta.persistence.Table;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A number that is drawn when the row gets a state: once, and never again. */
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

    private Database database;
    private SessionFactory factory;

    @BeforeEach
    void open() {
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
    void a_rollback_takes_it_back_and_the_retry_draws_anew() throws Exception {
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
}
