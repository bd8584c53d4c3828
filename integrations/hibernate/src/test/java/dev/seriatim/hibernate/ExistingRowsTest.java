// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A session factory over tables that have rows already: no number of theirs is dealt again. */
@Timeout(60)
class ExistingRowsTest {

    @Entity
    @Table(name = "Thing")
    static class Thing {
        @Id
        @Seriatim("thing_id")
        Long id;
    }

    @Entity
    @Table(name = "bill")
    static class Bill {
        @Id
        Long id;

        @SeriatimNumber
        Long number;
    }

    @Entity
    @Table(name = "`My Table`")
    static class Quoted {
        @Id
        @Seriatim("thing_id")
        @Column(name = "`The Id`")
        Long id;
    }

    @Entity
    @Table(name = "orders", schema = "sales")
    static class InSchema {
        @Id
        @Seriatim
        Long id;
    }

    @Entity
    @Table(name = "root")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    abstract static class Root {
        @Id
        @Seriatim
        Long id;
    }

    @Entity
    @Table(name = "leaf")
    static class Leaf extends Root {}

    @Entity
    @Table(name = "other_leaf")
    static class OtherLeaf extends Root {}

    @Entity
    @Table(name = "joined")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Joined {
        @Id
        @Seriatim
        Long id;
    }

    @Entity
    @Table(name = "joined_leaf")
    static class JoinedLeaf extends Joined {}

    @Embeddable
    static class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        @Seriatim("key_number")
        long number;

        long part;
    }

    @Entity
    @Table(name = "keyed")
    static class Keyed {
        @EmbeddedId
        Key key;
    }

    static class Pair implements Serializable {
        private static final long serialVersionUID = 1L;
        long number;
        long part;
    }

    @Entity
    @Table(name = "paired")
    @IdClass(Pair.class)
    static class Paired {
        @Id
        @Seriatim("pair_number")
        long number;

        @Id
        long part;
    }

    @Entity
    @Table(name = "patterned")
    static class Patterned {
        @Id
        @Seriatim(pattern = "A-{seq}")
        String id;
    }

    @Entity
    @Table(name = "reversed")
    static class Reversed {
        @Id
        @Seriatim(bitReversed = true)
        Long id;
    }

    private static Map<String, Object> settings(Database database, String action) {
        Map<String, Object> settings = Factories.settings(database, "hibernate.hbm2ddl.auto", action);
        if (database.server().startsWith("jdbc:sqlite")) {
            settings.put("hibernate.dialect", OneWriterTest.SqliteDialect.class.getName());
            settings.put("hibernate.connection.pool_size", 1);
        }
        return settings;
    }

    /** A table as another generator has left it: the first rows were deleted. */
    private static Database withRows(Engine engine, String create, String insert) throws SQLException {
        Database database = engine.freshDatabase();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(create);
            connection.setAutoCommit(false);
            for (int id = 101; id <= 150; id++) {
                statement.execute(insert.formatted(id));
            }
            connection.commit();
        }
        return database;
    }

    private static Database withThings(Engine engine) throws SQLException {
        return withRows(engine, "CREATE TABLE Thing (id BIGINT PRIMARY KEY)", "INSERT INTO Thing VALUES (%d)");
    }

    private static void create(Database database, SequenceDefinition definition) {
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.define(definition);
        }
    }

    private static Throwable refusal(Map<String, Object> settings, Class<?>... entities) {
        return catchThrowable(() -> Factories.open(settings, entities).close());
    }

    private static long next(SessionFactory factory) {
        return factory.fromTransaction(session -> {
            Thing thing = new Thing();
            session.persist(thing);
            return thing.id;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_sequence_that_update_creates_begins_after_the_rows(Engine engine) throws Exception {
        Database database = withThings(engine);
        try (SessionFactory factory = Factories.open(settings(database, "update"), Thing.class)) {
            assertThat(next(factory)).isEqualTo(151);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_gapless_number_goes_on_without_a_gap_and_without_an_index(Engine engine) throws Exception {
        Database database = withRows(
                engine,
                "CREATE TABLE bill (id BIGINT PRIMARY KEY, number BIGINT)",
                "INSERT INTO bill VALUES (%1$d, %1$d)");
        try (SessionFactory factory = Factories.open(settings(database, "update"), Bill.class)) {
            factory.inTransaction(session -> {
                Bill bill = new Bill();
                bill.id = 1L;
                session.persist(bill);
            });
        }
        assertThat(database.number("SELECT number FROM bill WHERE id = 1")).isEqualTo(151);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "validate", "update", "create-only"})
    void an_existing_sequence_that_is_behind_is_refused_with_the_remedy(String action) throws Exception {
        Database database = withThings(Engine.POSTGRESQL);
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.gapless("thing_id");
            sequences.inTransaction(connection -> sequences.gapless("thing_id").next(connection));
        }
        assertThat(refusal(settings(database, action), Thing.class))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessage(
                        "the next numbers of 'thing_id' (thing.id has reached 150) may be in use; stop any other generator of them, and run 'seriatim sync"
                                + " thing_id --column thing.id --store " + database.location() + "'");
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.store().raise("thing_id", 151);
        }
        try (SessionFactory factory = Factories.open(settings(database, action), Thing.class)) {
            assertThat(next(factory)).isEqualTo(151);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "validate"})
    void a_new_sequence_is_not_raised_if_the_schema_tool_changes_nothing(String action) throws Exception {
        Database database = withThings(Engine.POSTGRESQL);
        create(database, SequenceDefinition.of("thing_id"));
        assertThat(refusal(settings(database, action), Thing.class)).hasMessageContaining("thing.id has reached 150");
        create(database, SequenceDefinition.of("another"));
        assertThat(database.number("SELECT next_value FROM seriatim_sequence WHERE name = 'thing_id'"))
                .isEqualTo(1);
    }

    @Test
    void all_sequences_that_are_behind_are_in_one_message() throws Exception {
        Database database = withThings(Engine.MARIADB);
        database.execute(
                "CREATE TABLE `My Table` (`The Id` BIGINT PRIMARY KEY)",
                "INSERT INTO `My Table` VALUES (400)",
                "CREATE TABLE bill (id BIGINT PRIMARY KEY, number BIGINT)",
                "INSERT INTO bill VALUES (1, 7)");
        create(database, SequenceDefinition.of("thing_id"));
        create(database, SequenceDefinition.of("bill_number"));
        assertThat(refusal(settings(database, "validate"), Thing.class, Quoted.class, Bill.class))
                .hasMessageContaining("'bill_number' (bill.number has reached 7), 'thing_id' (")
                .hasMessageContaining(" has reached 400)")
                .hasMessageContaining(
                        "; stop any other generator of them, and run 'seriatim sync bill_number --column bill.number --store "
                                + database.location().replaceAll("[?].*", "") + "' and 'seriatim sync thing_id --column"
                                + " \"\\\"My Table\\\".\\\"The Id\\\"\" --store ");
    }

    @Test
    void a_table_in_a_schema() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE SCHEMA sales",
                "CREATE TABLE orders (id BIGINT PRIMARY KEY)",
                "INSERT INTO orders VALUES (70)",
                "CREATE TABLE sales.orders (id BIGINT PRIMARY KEY)",
                "INSERT INTO sales.orders VALUES (30)");
        create(database, SequenceDefinition.of("sales.orders_id"));
        assertThat(refusal(settings(database, "validate"), InSchema.class))
                .hasMessageContaining("'sales.orders_id' (sales.orders.id has reached 30)")
                .hasMessageContaining("seriatim sync sales.orders_id --column sales.orders.id ");
    }

    @Test
    void every_table_of_an_inheritance() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE leaf (id BIGINT PRIMARY KEY)",
                "INSERT INTO leaf VALUES (20)",
                "CREATE TABLE other_leaf (id BIGINT PRIMARY KEY)",
                "INSERT INTO other_leaf VALUES (90)",
                "CREATE TABLE joined (id BIGINT PRIMARY KEY)",
                "INSERT INTO joined VALUES (40)",
                "CREATE TABLE joined_leaf (id BIGINT PRIMARY KEY)");
        create(database, SequenceDefinition.of("root_id"));
        create(database, SequenceDefinition.of("joined_id"));
        assertThat(refusal(
                        settings(database, "validate"),
                        Root.class,
                        Leaf.class,
                        OtherLeaf.class,
                        Joined.class,
                        JoinedLeaf.class))
                .hasMessageContaining(
                        "'joined_id' (joined.id has reached 40), 'root_id' (other_leaf.id has reached 90)");
    }

    @Test
    void a_part_of_a_key() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE keyed (number BIGINT, part BIGINT, PRIMARY KEY (part, number))",
                "INSERT INTO keyed VALUES (60, 500)",
                "CREATE TABLE paired (number BIGINT, part BIGINT, PRIMARY KEY (part, number))",
                "INSERT INTO paired VALUES (80, 500)");
        create(database, SequenceDefinition.of("key_number"));
        create(database, SequenceDefinition.of("pair_number"));
        assertThat(refusal(settings(database, "validate"), Keyed.class, Paired.class))
                .hasMessageContaining(
                        "'key_number' (keyed.number has reached 60), 'pair_number' (paired.number has reached 80)");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void numbers_that_the_sequence_never_deals_do_not_count(Engine engine) throws Exception {
        Database database = withThings(engine); // 101 to 150
        create(
                database,
                SequenceDefinition.named("thing_id")
                        .startWith(51)
                        .maxValue(120L)
                        .incrementBy(25)
                        .build());
        assertThat(refusal(settings(database, "validate"), Thing.class)).hasMessageContaining(" has reached 101)");
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.store().drop("thing_id");
        }
        create(database, SequenceDefinition.named("thing_id").maxValue(100L).build());
        try (SessionFactory factory = Factories.open(settings(database, "validate"), Thing.class)) {
            assertThat(next(factory)).isEqualTo(1);
        }
    }

    /** It then deals every 50th number, but not those that it would have dealt from its start. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_restarted_sequence_is_compared_with_the_numbers_that_it_deals_now(Engine engine) throws Exception {
        Database database = withThings(engine); // 101 to 150
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            sequences.define(
                    SequenceDefinition.named("thing_id").incrementBy(50).build());
            sequences.store().restart("thing_id", 130);
        }
        assertThat(refusal(settings(database, "validate"), Thing.class)).hasMessageContaining(" has reached 130)");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM Thing WHERE id = 130");
            statement.execute("INSERT INTO Thing VALUES (201)"); // from another generator of such numbers
        }
        try (SessionFactory factory = Factories.open(settings(database, "validate"), Thing.class)) {
            assertThat(next(factory)).isEqualTo(130);
        }
    }

    @Test
    void a_sequence_that_descends() throws Exception {
        Database database = withThings(Engine.POSTGRESQL);
        database.execute("INSERT INTO thing VALUES (-9)");
        create(database, SequenceDefinition.named("thing_id").incrementBy(-1).build());
        try (SessionFactory factory = Factories.open(settings(database, "update"), Thing.class)) {
            assertThat(next(factory)).isEqualTo(-10);
        }
    }

    @Test
    void patterns_and_reversed_bits_are_not_compared() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE patterned (id VARCHAR(20) PRIMARY KEY)",
                "INSERT INTO patterned VALUES ('A-7')",
                "CREATE TABLE reversed (id BIGINT PRIMARY KEY)",
                "INSERT INTO reversed VALUES (4611686018427387904)");
        Factories.open(settings(database, "update"), Patterned.class, Reversed.class)
                .close();
        assertThat(database.number("SELECT max(next_value) FROM seriatim_sequence"))
                .isEqualTo(1);
    }

    /** Each creates what it does not find, and both may have read the rows before. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void processes_that_start_at_once_deal_different_numbers(Engine engine) throws Exception {
        for (int round = 0; round < 3; round++) {
            Database database = withRows(
                    engine,
                    "CREATE TABLE Thing (id BIGINT PRIMARY KEY, number BIGINT)",
                    "INSERT INTO Thing VALUES (%1$d, %1$d)");
            Threads.run(4, process -> () -> {
                try (SessionFactory factory = Factories.open(settings(database, "update"), Thing.class)) {
                    for (int i = 0; i < 10; i++) {
                        next(factory);
                    }
                }
                return process;
            });
            assertThat(database.number("SELECT count(*) FROM Thing WHERE id > 150"))
                    .isEqualTo(40);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void processes_that_start_at_once_leave_no_gap_in_gapless_numbers(Engine engine) throws Exception {
        Database database = withRows(
                engine,
                "CREATE TABLE bill (id BIGINT PRIMARY KEY, number BIGINT UNIQUE)",
                "INSERT INTO bill VALUES (%1$d, %1$d)");
        Threads.run(3, process -> () -> {
            try (SessionFactory factory = Factories.open(settings(database, "update"), Bill.class)) {
                for (int i = 0; i < 10; i++) {
                    Bill bill = new Bill();
                    bill.id = 1000L * process + 1000 + i;
                    factory.inTransaction(session -> session.persist(bill));
                }
            }
            return process;
        });
        assertThat(database.number("SELECT count(*) FROM bill WHERE number BETWEEN 151 AND 180"))
                .isEqualTo(30);
        assertThat(database.number("SELECT max(number) FROM bill")).isEqualTo(180);
    }

    @Test
    void a_program_that_supplies_its_connections_can_start() throws Exception {
        Database database = withThings(Engine.H2);
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource());
                Connection connection = database.connect()) {
            sequences.define(SequenceDefinition.of("thing_id"));
            Map<String, Object> settings = new HashMap<>();
            settings.put("hibernate.dialect", "org.hibernate.dialect.H2Dialect");
            settings.put(SeriatimSettings.SEQUENCES, sequences);
            try (SessionFactory factory = Factories.open(settings, Thing.class);
                    Session session =
                            factory.withOptions().connection(connection).openSession()) {
                Thing thing = new Thing();
                session.persist(thing);
                assertThat(thing.id).isEqualTo(1);
            }
        }
    }

    /** Hibernate's own pool lends without auto-commit, and changes nothing when a connection comes back. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "H2"})
    void a_connection_is_returned_as_it_was(Engine engine) throws Exception {
        Database database = withThings(engine);
        create(database, SequenceDefinition.named("thing_id").startWith(151).build());
        Map<String, Object> settings = settings(database, "none");
        settings.put("hibernate.connection.pool_size", 1);
        try (SessionFactory factory = Factories.open(settings, Thing.class)) {
            if (engine == Engine.POSTGRESQL) {
                assertThat(database.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND state = 'idle in transaction'"))
                        .isZero();
            }
            int timeout = factory.fromTransaction(session -> session.doReturningWork(connection -> {
                try (Statement statement = connection.createStatement()) {
                    return statement.getQueryTimeout();
                }
            }));
            assertThat(timeout).isZero();
        }
    }

    @Test
    void what_cannot_be_read_does_not_prevent_a_start() throws Exception {
        Database database = withThings(Engine.POSTGRESQL);
        create(database, SequenceDefinition.of("thing_id"));
        create(database, SequenceDefinition.of("bill_number"));
        String user = "inserter_" + database.name();
        database.execute(
                "CREATE ROLE " + user + " LOGIN PASSWORD 'x'",
                "GRANT INSERT ON thing TO " + user,
                "GRANT SELECT, UPDATE ON seriatim_sequence TO " + user);
        try {
            Map<String, Object> settings = settings(database.as(user, "x"), "none"); // no table bill
            try (SessionFactory factory = Factories.open(settings, Thing.class, Bill.class)) {
                assertThat(next(factory)).isEqualTo(1);
            }
        } finally {
            database.execute("DROP OWNED BY " + user, "DROP ROLE " + user);
        }
    }

    /** On PostgreSQL, an error spoils the transaction. */
    @Test
    void what_cannot_be_read_hides_no_other_column() throws Exception {
        Database database = withThings(Engine.POSTGRESQL);
        create(database, SequenceDefinition.of("bill_number")); // no table bill
        create(database, SequenceDefinition.of("thing_id"));
        Map<String, Object> settings = settings(database, "none");
        settings.put("hibernate.connection.autocommit", false);
        assertThat(refusal(settings, Thing.class, Bill.class)).hasMessageContaining("(thing.id has reached 150)");
    }

    /** The engines side by side, since each start waits until its read is cancelled. */
    @Test
    void a_locked_table_does_not_prevent_a_start() throws Exception {
        List<Database> databases = List.of(withThings(Engine.POSTGRESQL), withThings(Engine.MARIADB));
        List<String> locks = List.of("LOCK TABLE thing", "LOCK TABLES Thing WRITE");
        databases.forEach(database -> create(database, SequenceDefinition.of("thing_id")));
        Threads.run(databases.size(), i -> () -> {
            try (Connection connection = databases.get(i).connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(locks.get(i));
                Factories.open(settings(databases.get(i), "none"), Thing.class).close();
            }
            return i;
        });
    }

    @Test
    void rows_that_a_script_loads_into_new_tables_count() throws Exception {
        Database database = withThings(Engine.POSTGRESQL);
        Map<String, Object> settings = settings(database, "create-drop");
        settings.put(
                "jakarta.persistence.sql-load-script-source",
                new java.io.StringReader("INSERT INTO thing VALUES (3);"));
        try (SessionFactory factory = Factories.open(settings, Thing.class)) {
            assertThat(next(factory)).isEqualTo(4);
        }
    }

    @Test
    void the_rows_are_those_of_the_session_factory_if_the_sequences_are_elsewhere() throws Exception {
        Database database = withThings(Engine.POSTGRESQL);
        try (JdbcSequences elsewhere =
                JdbcSequences.open(Engine.H2.freshDatabase().dataSource())) {
            Map<String, Object> settings = settings(database, "update");
            settings.put(SeriatimSettings.SEQUENCES, elsewhere);
            try (SessionFactory factory = Factories.open(settings, Thing.class)) {
                assertThat(next(factory)).isEqualTo(151);
            }
        }
    }
}
