// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.JdbcSequences;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.Configuration;
import org.hibernate.dialect.DatabaseVersion;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.connections.spi.AbstractDataSourceBasedMultiTenantConnectionProviderImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On SQLite a transaction that has written keeps everybody else from writing, the sequences included. */
class OneWriterTest {

    @TempDir
    Path folder;

    @Entity(name = "note")
    static class Note {
        @Id
        @Seriatim(value = "note_id")
        Long id;

        String text = "a note";
    }

    @Entity(name = "ticket")
    static class Ticket {
        @Id
        @Seriatim(value = "ticket_id", guarantee = Guarantee.ORDERED)
        Long id;

        String text = "a ticket";
    }

    @Entity(name = "bill")
    static class Bill {
        @Id
        @Seriatim(value = "bill_id")
        Long id;

        @TenantId
        @Nullable
        String tenant;

        String status = "DRAFT";

        @SeriatimNumber
        Long number;

        @SeriatimNumber(of = "status", when = "ISSUED", value = "issued", guarantee = Guarantee.UNIQUE)
        @Nullable
        Long issued;
    }

    @Entity(name = "receipt")
    static class Receipt {
        @Id
        @Seriatim(value = "receipt_id", guarantee = Guarantee.GAPLESS)
        Long id;
    }

    /** The part of SQLite that these tests need; its full dialect is not in Hibernate's core. */
    public static final class SqliteDialect extends Dialect {
        public SqliteDialect() {
            super(DatabaseVersion.make(3));
        }
    }

    private SessionFactory open(String options) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.tenant_identifier_resolver", new TenantsTest.Root());
        return configuration
                .addAnnotatedClass(Note.class)
                .addAnnotatedClass(Ticket.class)
                .addAnnotatedClass(Bill.class)
                .setProperty("hibernate.dialect", SqliteDialect.class.getName())
                .setProperty("hibernate.connection.url", "jdbc:sqlite:" + folder.resolve("notes.db") + options)
                .setProperty("hibernate.connection.pool_size", "2")
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .buildSessionFactory();
    }

    private void writesAndDraws(SessionFactory factory, int entities) {
        factory.inTransaction(session -> {
            for (int i = 0; i < entities; i++) {
                session.persist(new Note());
                session.persist(new Ticket());
                session.flush(); // from here on, this transaction keeps others from writing
            }
        });
    }

    @Test
    void a_transaction_that_has_written_goes_on_to_draw() {
        for (String options : List.of("", "?journal_mode=WAL", "?journal_mode=WAL&transaction_mode=IMMEDIATE")) {
            try (SessionFactory factory = open(options)) {
                long began = System.nanoTime();
                writesAndDraws(factory, 300);
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(9));
                assertThat(ids(factory, "select n.id from note n order by n.id"))
                        .hasSize(300)
                        .doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void a_rollback_takes_the_numbers_back_and_they_are_dealt_once() {
        try (SessionFactory factory = open("?journal_mode=WAL")) {
            for (int i = 0; i < 20; i++) {
                try (var session = factory.openSession()) {
                    session.beginTransaction();
                    session.persist(new Ticket());
                    session.flush();
                    if (i % 3 == 0) {
                        session.getTransaction().rollback();
                    } else {
                        session.getTransaction().commit();
                    }
                }
            }
            assertThat(ids(factory, "select t.id from ticket t order by t.id"))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 13).boxed().toList());
            try (JdbcSequences others = JdbcSequences.open("sqlite:" + folder.resolve("notes.db"))) {
                assertThat(others.ordered("ticket_id").next()).isEqualTo(14);
            }
        }
    }

    /** A new tenant's sequence is created by its first number, in a transaction that keeps others from writing. */
    @Test
    void a_new_tenant_is_numbered_in_a_transaction_that_has_written() {
        for (String options : List.of("", "?journal_mode=WAL", "?journal_mode=WAL&transaction_mode=IMMEDIATE")) {
            try (SessionFactory factory = open(options)) {
                long began = System.nanoTime();
                for (boolean rollsBack : new boolean[] {true, false, false}) {
                    try (var session = factory.openSession()) {
                        session.beginTransaction();
                        for (String tenant : List.of("red", "blue", "red")) {
                            Bill bill = new Bill();
                            bill.tenant = tenant;
                            session.persist(bill);
                            session.flush();
                            bill.status = "ISSUED";
                            session.flush();
                        }
                        if (rollsBack) {
                            session.getTransaction().rollback();
                        } else {
                            session.getTransaction().commit();
                        }
                    }
                }
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(9));
                for (String column : List.of("number", "issued")) {
                    assertThat(ids(
                                    factory,
                                    "select b.%s from bill b where b.tenant = 'red' order by b.number"
                                            .formatted(column)))
                            .containsExactly(1L, 2L, 3L, 4L);
                    assertThat(ids(
                                    factory,
                                    "select b.%s from bill b where b.tenant = 'blue' order by b.number"
                                            .formatted(column)))
                            .containsExactly(1L, 2L);
                }
            }
        }
    }

    /** A file for each tenant. */
    private static final class Files extends AbstractDataSourceBasedMultiTenantConnectionProviderImpl<String> {

        private static final long serialVersionUID = 1L;

        private final transient Path folder;

        Files(Path folder) {
            this.folder = folder;
        }

        @Override
        protected DataSource selectAnyDataSource() {
            return selectDataSource("any");
        }

        @Override
        protected DataSource selectDataSource(String tenant) {
            String url = "jdbc:sqlite:" + folder.resolve(tenant) + ".db?journal_mode=WAL&transaction_mode=IMMEDIATE";
            return SuppliedDataSource.of(() -> DriverManager.getConnection(url));
        }
    }

    /** Whose transaction begins as one that writes, before the sequences are opened. */
    @Test
    void a_tenant_with_a_file_of_its_own_draws_first_in_a_transaction_that_keeps_others_from_writing()
            throws Exception {
        Files files = new Files(folder);
        try (Connection red = files.selectDataSource("red").getConnection();
                Statement statement = red.createStatement();
                JdbcSequences sequences = JdbcSequences.open(files.selectDataSource("red"))) {
            statement.execute("CREATE TABLE receipt (id BIGINT PRIMARY KEY)");
            sequences.ordered("receipt_id");
        }
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.multi_tenant_connection_provider", files);
        try (SessionFactory factory = configuration
                        .addAnnotatedClass(Receipt.class)
                        .setProperty("hibernate.dialect", SqliteDialect.class.getName())
                        .buildSessionFactory();
                Session session =
                        factory.withOptions().tenantIdentifier((Object) "red").openSession()) {
            session.beginTransaction();
            Receipt receipt = new Receipt();
            session.persist(receipt);
            session.getTransaction().commit();
            assertThat(receipt.id).isEqualTo(1);
        }
    }

    private static List<Long> ids(SessionFactory factory, String query) {
        return factory.fromTransaction(
                session -> session.createSelectionQuery(query, Long.class).getResultList());
    }
}
