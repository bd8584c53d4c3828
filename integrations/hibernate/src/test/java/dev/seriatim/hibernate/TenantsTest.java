// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Version;
import org.hibernate.annotations.TenantId;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tenants: by a schema, by a column. No tenant gets another's number. */
@Tag("long")
class TenantsTest {

    @Entity
    @Table(name = "account")
    static class Account {
        @Id
        @Seriatim(guarantee = Guarantee.ORDERED)
        long id;
    }

    /** The same table, with numbers from blocks. */
    @Entity
    @Table(name = "account")
    static class FastAccount {
        @Id
        @Seriatim
        long id;
    }

    @Entity
    @Table(name = "bill")
    static class Bill {
        @Id
        @Seriatim
        long id;

        @TenantId
        @Nullable
        String tenant;

        @SeriatimNumber
        Long number;
    }

    @Entity
    @Table(name = "draft")
    static class Draft {
        @Id
        Long id;

        @TenantId
        @Nullable
        String tenant;

        String status = "DRAFT";

        @SeriatimNumber(of = "status", when = "ISSUED")
        @Nullable
        Long number;

        Draft() {}

        Draft(long id, @Nullable String tenant, String status) {
            this.id = id;
            this.tenant = tenant;
            this.status = status;
        }
    }

    static final class Key implements Serializable {

        private static final long serialVersionUID = 1L;

        @Nullable
        String tenant;

        @Nullable
        Long id;

        Key() {}

        Key(String tenant, long id) {
            this.tenant = tenant;
            this.id = id;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && Objects.equals(tenant, key.tenant) && Objects.equals(id, key.id);
        }

        @Override
        public int hashCode() {
            return Objects.hash(tenant, id);
        }
    }

    /** Hibernate 7 and later map it. */
    @Entity
    @Table(name = "keyed")
    @IdClass(Key.class)
    static class Keyed {
        @Id
        @TenantId
        @Nullable
        String tenant;

        @Id
        Long id;

        String status = "DRAFT";

        @SeriatimNumber(of = "status", when = "ISSUED")
        @Nullable
        Long number;

        Keyed() {}

        Keyed(long id) {
            this.id = id;
        }
    }

    private static final List<String> TENANTS = List.of("red", "blue");

    /** A schema for each tenant; a connection's search path leads to it. */
    private record Schemas(Database database, UnaryOperator<String> searchPath)
            implements MultiTenantConnectionProvider<String> {

        private static final long serialVersionUID = 1L;

        Schemas(Database database) {
            this(database, tenant -> tenant);
        }

        void create() throws SQLException {
            for (String tenant : TENANTS) {
                database.execute(
                        "CREATE SCHEMA " + tenant, "CREATE TABLE %s.account (id BIGINT PRIMARY KEY)".formatted(tenant));
            }
        }

        @Override
        public Connection getAnyConnection() throws SQLException {
            return database.connect();
        }

        @Override
        public void releaseAnyConnection(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public Connection getConnection(String tenant) throws SQLException {
            Connection connection = database.connect();
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET search_path TO " + searchPath.apply(tenant));
            }
            return connection;
        }

        @Override
        public void releaseConnection(String tenant, Connection connection) throws SQLException {
            assertThat(searchPath.apply(tenant)).startsWith(connection.getSchema());
            connection.close();
        }

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    private static Map<String, Object> settings(Schemas schemas) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("hibernate.multi_tenant_connection_provider", schemas);
        settings.put("hibernate.hbm2ddl.auto", "update");
        settings.put("hibernate.jdbc.batch_size", 50);
        return settings;
    }

    /** Tenants' sessions on 16 threads persist entities, in transactions of 50. */
    private static void persist(SessionFactory factory, Supplier<?> entity, int threads, int each) throws Exception {
        Threads.<Void>run(threads, thread -> () -> {
            try (Session session = session(factory, TENANTS.get(thread % 2))) {
                for (int done = 0; done < each; ) {
                    session.beginTransaction();
                    for (int i = 0; i < 50 && done < each; i++, done++) {
                        session.persist(entity.get());
                    }
                    session.getTransaction().commit();
                    session.clear();
                }
                return null;
            }
        });
    }

    private static Session session(SessionFactory factory, String tenant) {
        return factory.withOptions().tenantIdentifier((Object) tenant).openSession();
    }

    /** Returns the highest identifier of either tenant, after as many were persisted for each. */
    private static long highest(Supplier<?> entity, int each, boolean shared) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Schemas schemas = new Schemas(database);
        schemas.create();
        Map<String, Object> settings = settings(schemas);
        try (JdbcSequences one = JdbcSequences.open(database.dataSource())) {
            if (shared) {
                Function<String, JdbcSequences> all = tenant -> one;
                settings.put(SeriatimSettings.SEQUENCES, all);
            }
            try (SessionFactory factory = Factories.open(settings, entity.get().getClass())) {
                persist(factory, entity, 16, each / 8);
            }
        }
        long highest = 0;
        for (String tenant : TENANTS) {
            assertThat(database.number("SELECT count(*) FROM %s.account".formatted(tenant)))
                    .isEqualTo(each);
            highest = Math.max(highest, database.number("SELECT max(id) FROM %s.account".formatted(tenant)));
        }
        return highest;
    }

    @Test
    void two_tenants_with_schemas_have_one_to_n_each() throws Exception {
        assertThat(highest(Account::new, 1_600, false)).isEqualTo(1_600);
    }

    @Test
    void tenants_that_share_a_buffer_have_each_others_numbers() throws Exception {
        assertThat(highest(Account::new, 1_600, true)).isGreaterThanOrEqualTo(3_200);
    }

    /** A transaction for each number, and so more than a minute. */
    @Test
    @EnabledIfSystemProperty(named = "seriatim.trials", matches = "soak")
    void two_tenants_with_schemas_have_one_to_100_000_each() throws Exception {
        assertThat(highest(Account::new, 100_000, false)).isEqualTo(100_000);
    }

    /** Numbers from blocks are not dealt in order, and some of a block may be left over. */
    @Test
    void two_tenants_with_schemas_have_100_000_of_their_own_each() throws Exception {
        assertThat(highest(FastAccount::new, 100_000, false)).isBetween(100_000L, 150_000L);
        assertThat(highest(FastAccount::new, 10_000, true)).isGreaterThanOrEqualTo(20_000);
    }

    /** Each returns the rest of its block, on a connection for which it waits here until the other asks for one, too. */
    @Test
    void the_sequences_of_all_tenants_close_at_the_same_time() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        CountDownLatch closing = new CountDownLatch(TENANTS.size());
        AtomicBoolean closes = new AtomicBoolean();
        AtomicBoolean alone = new AtomicBoolean();
        Schemas schemas = new Schemas(database, tenant -> {
            if (closes.get()) {
                closing.countDown();
                try {
                    alone.compareAndSet(false, !closing.await(5, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return tenant;
        });
        schemas.create();
        try (SessionFactory factory = Factories.open(settings(schemas), FastAccount.class)) {
            persist(factory, FastAccount::new, 2, 1);
            closes.set(true);
        }
        assertThat(closing.getCount()).isZero();
        assertThat(alone).isFalse();
    }

    @Test
    void one_set_of_sequences_for_all_tenants_is_refused() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Schemas schemas = new Schemas(database);
        schemas.create();
        Map<String, Object> settings = settings(schemas);
        try (JdbcSequences one = JdbcSequences.open(database.dataSource())) {
            settings.put(SeriatimSettings.SEQUENCES, one);
            try (SessionFactory factory = Factories.open(settings, Account.class)) {
                assertThatThrownBy(() -> persist(factory, Account::new, 1, 1))
                        .isInstanceOf(SequenceException.Misconfigured.class)
                        .hasMessageContaining("one JdbcSequences for all tenants");
            }
        }
    }

    @Test
    void a_tenant_without_sequences_is_one_clear_error_on_its_first_use() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Schemas schemas = new Schemas(database);
        schemas.create();
        Map<String, Object> settings = settings(schemas);
        settings.put("hibernate.hbm2ddl.auto", "none");
        try (SessionFactory factory = Factories.open(settings, Account.class)) {
            assertThatThrownBy(() -> persist(factory, Account::new, 1, 1))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("'account_id'")
                    .hasMessageContaining("hibernate.hbm2ddl.auto to update");
            try (Connection red = schemas.getConnection("red");
                    JdbcSequences sequences =
                            JdbcSequences.open(SuppliedDataSource.of(() -> schemas.getConnection("red")))) {
                assertThat(red.isClosed()).isFalse();
                sequences.unique("account_id");
            }
            persist(factory, Account::new, 1, 1); // the failure is not remembered
        }
    }

    /** The tenant of a session that names none; it may store rows of all others. */
    static final class Root implements CurrentTenantIdentifierResolver<String> {
        @Override
        public String resolveCurrentTenantIdentifier() {
            return "root";
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return false;
        }

        @Override
        public boolean isRoot(String tenant) {
            return tenant.equals("root");
        }
    }

    private static long numberOf(Database database, String tenant) throws SQLException {
        return database.number("SELECT max(number) FROM bill WHERE tenant = '%s'".formatted(tenant));
    }

    @Test
    void tenants_of_one_table_share_identifiers_and_are_numbered_by_themselves() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Map<String, Object> settings = Factories.settings(database, "hibernate.tenant_identifier_resolver", new Root());
        try (SessionFactory factory = Factories.open(settings, Bill.class)) {
            Threads.<Void>run(4, thread -> () -> {
                try (Session session = session(factory, TENANTS.get(thread % 2))) {
                    for (int i = 0; i < 50; i++) {
                        session.beginTransaction();
                        session.persist(new Bill());
                        if (i % 5 == 0) {
                            session.flush();
                            session.getTransaction().rollback();
                        } else {
                            session.getTransaction().commit();
                        }
                        session.clear();
                    }
                    return null;
                }
            });
            for (String tenant : TENANTS) {
                assertThat(numberOf(database, tenant)).isEqualTo(80);
                assertThat(database.number(
                                "SELECT count(DISTINCT number) FROM bill WHERE tenant = '%s'".formatted(tenant)))
                        .isEqualTo(80);
                assertThat(database.number("SELECT next_value FROM seriatim_sequence WHERE name = 'bill_number@%s'"
                                .formatted(tenant)))
                        .isEqualTo(81);
            }
            // the root's session stores another's row, and the number is that one's
            factory.inTransaction(session -> {
                Bill bill = new Bill();
                bill.tenant = "red";
                session.persist(bill);
            });
            assertThat(numberOf(database, "red")).isEqualTo(81);
        }
        settings.put("hibernate.hbm2ddl.auto", "create");
        try (SessionFactory factory = Factories.open(settings, Bill.class);
                Session session = session(factory, "red")) {
            session.beginTransaction();
            session.persist(new Bill());
            session.getTransaction().commit();
            assertThat(numberOf(database, "red")).isEqualTo(1);
        }
    }

    private static void inTransaction(SessionFactory factory, String tenant, Consumer<Session> work) {
        try (Session session = session(factory, tenant)) {
            session.beginTransaction();
            work.accept(session);
            session.getTransaction().commit();
        }
    }

    /** Its column is never updated, so the program's value is not the row's tenant. */
    @Test
    void a_row_is_numbered_for_its_own_tenant_whatever_the_program_assigns() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Map<String, Object> settings = Factories.settings(database, "hibernate.tenant_identifier_resolver", new Root());
        try (SessionFactory factory = Factories.open(settings, Draft.class)) {
            for (long id = 1; id <= 6; id++) {
                Draft draft = new Draft(id, null, "DRAFT");
                inTransaction(factory, "red", session -> session.persist(draft));
            }
            inTransaction(factory, "red", session -> session.merge(new Draft(1, "blue", "ISSUED")));
            inTransaction(factory, "red", session -> {
                Draft draft = session.find(Draft.class, 2);
                draft.tenant = "blue";
                draft.status = "ISSUED";
            });
            factory.inTransaction(session -> session.merge(new Draft(3, null, "ISSUED")));
            factory.inTransaction(session -> session.merge(new Draft(4, "blue", "ISSUED")));
            factory.inStatelessTransaction(session -> session.update(new Draft(5, null, "ISSUED")));
            factory.inStatelessTransaction(session -> session.update(new Draft(6, "blue", "ISSUED")));
            assertThat(database.number("SELECT count(*) FROM draft WHERE tenant = 'red' AND number = id"))
                    .isEqualTo(6);
            assertThat(database.number("SELECT count(*) FROM seriatim_sequence WHERE name LIKE 'draft_number@%'"))
                    .isEqualTo(1);
        }
    }

    @Test
    void a_row_whose_key_names_its_tenant_is_numbered_for_that_one() throws Exception {
        assumeFalse(Version.getVersionString().startsWith("6."), "Hibernate 6 refuses the mapping");
        Database database = Engine.POSTGRESQL.freshDatabase();
        Map<String, Object> settings = Factories.settings(database, "hibernate.tenant_identifier_resolver", new Root());
        try (SessionFactory factory = Factories.open(settings, Keyed.class)) {
            for (String tenant : TENANTS) {
                inTransaction(factory, tenant, session -> {
                    Keyed row = new Keyed(1);
                    row.tenant = tenant;
                    session.persist(row);
                });
                inTransaction(
                        factory, tenant, session -> session.find(Keyed.class, new Key(tenant, 1)).status = "ISSUED");
            }
            assertThat(database.number("SELECT sum(number) FROM keyed")).isEqualTo(2);
        }
    }

    /** A provider may lead several tenants, distinguished by a column, to one database. */
    @Test
    void tenants_whose_connections_lead_to_one_schema_are_numbered_by_themselves() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE bill (id BIGINT PRIMARY KEY, tenant VARCHAR(9), number BIGINT)");
        Map<String, Object> settings = settings(new Schemas(database, tenant -> "public"));
        try (SessionFactory factory = Factories.open(settings, Bill.class)) {
            for (int i = 0; i < 3; i++) {
                for (String tenant : TENANTS) {
                    inTransaction(factory, tenant, session -> session.persist(new Bill()));
                }
            }
            for (String tenant : TENANTS) {
                assertThat(numberOf(database, tenant)).isEqualTo(3);
            }
        }
    }

    /** As by SET search_path TO tenant, public. */
    @Test
    void a_tenant_whose_search_path_leads_to_other_sequences_is_refused() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Schemas schemas = new Schemas(database, tenant -> tenant + ", public");
        schemas.create();
        try (JdbcSequences ofAll = JdbcSequences.open(database.dataSource())) {
            ofAll.ordered("account_id").next();
        }
        try (SessionFactory factory = Factories.open(settings(schemas), Account.class)) {
            assertThatThrownBy(() -> inTransaction(factory, "red", session -> session.persist(new Account())))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessage(
                            "the search path of tenant 'red' leads to public.seriatim_sequence, so tenants would share"
                                    + " numbers; CREATE TABLE red.seriatim_sequence (LIKE public.seriatim_sequence INCLUDING ALL), and"
                                    + " INSERT INTO red.seriatim_sequence TABLE public.seriatim_sequence; for a tenant without numbers, remove"
                                    + " schema public from the path instead; if tenants share all tables, put public first");
            database.execute(
                    "INSERT INTO red.account VALUES (1)", // from when its numbers came from there
                    "CREATE TABLE red.seriatim_sequence (LIKE public.seriatim_sequence INCLUDING ALL)",
                    "INSERT INTO red.seriatim_sequence TABLE public.seriatim_sequence");
            inTransaction(factory, "red", session -> session.persist(new Account()));
            assertThat(database.number("SELECT max(id) FROM red.account")).isEqualTo(2);
        }
    }

    /** As where "$user" comes first, and the databases, not the schemas, are the tenants' own. */
    @Test
    void a_schema_without_tables_is_no_tenants_own() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA red", "CREATE TABLE account (id BIGINT PRIMARY KEY)");
        try (JdbcSequences before = JdbcSequences.open(database.dataSource())) {
            before.ordered("account_id").next();
        }
        Schemas schemas = new Schemas(database, tenant -> tenant + ", public");
        try (SessionFactory factory = Factories.open(settings(schemas), Account.class)) {
            inTransaction(factory, "red", session -> session.persist(new Account()));
            assertThat(database.number("SELECT id FROM public.account")).isEqualTo(2);
        }
    }

    @Entity
    @Table(name = "note")
    static class Note {
        @Id
        Long id;

        @SeriatimNumber("bill_number")
        Long number;
    }

    @Test
    void a_sequence_for_each_tenant_is_none_for_rows_without_tenants() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Map<String, Object> settings = Factories.settings(database, "hibernate.tenant_identifier_resolver", new Root());
        assertThatThrownBy(
                        () -> Factories.open(settings, Bill.class, Note.class).close())
                .rootCause()
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("GAPLESS for each tenant")
                .hasMessageEndingWith("; give them separate sequences");
    }

    /** Such as a UUID. */
    @Test
    void a_tenant_whose_sequences_name_is_too_long() {
        SequenceRequest request = new SequenceRequest("n".repeat(30), Guarantee.GAPLESS, null, true);
        assertThatThrownBy(() -> request.of("t".repeat(36)))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageEndingWith(
                        "has 67 characters; the maximum is 64; name a shorter sequence in the annotation");
    }
}
