// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.ProgramRun;
import dev.seriatim.servers.Server;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.testkit.Crowd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that PostgreSQL numbers when their transaction commits. */
@ParameterizedClass
@EnumSource
@Timeout(120)
class AtCommitTest {

    /** The PostgreSQL installations under test. */
    enum Version {
        OF_MAVEN,
        OF_THE_SYSTEM
    }

    private static final Map<Version, Server> SERVERS = new ConcurrentHashMap<>();
    private static final String NUMBERS = "SELECT coalesce(string_agg(id || '=' || coalesce(number::text, '-'), ' '"
            + " ORDER BY id), '') FROM invoice";

    private static final Map<Version, Database> DATABASES = new ConcurrentHashMap<>();
    private static final AtomicInteger USERS = new AtomicInteger();
    private static final String EMPTY = """
            DO $$
            DECLARE
              schema text;
            BEGIN
              FOR schema IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)' LOOP
                EXECUTE format('DROP SCHEMA %I CASCADE', schema);
              END LOOP;
            END $$""";

    private final Version version;
    private Database database;
    private String user = "";
    private JdbcStore store;
    private SqlSession sql;
    private SqlSession other;

    AtCommitTest(Version version) {
        this.version = version;
    }

    @BeforeEach
    void open() throws SQLException {
        database = DATABASES.computeIfAbsent(
                version,
                any -> any == Version.OF_MAVEN
                        ? Engine.POSTGRESQL.freshDatabase()
                        : systems().freshDatabase());
        user = "user_" + USERS.incrementAndGet() + "_" + database.name();
        database.execute(EMPTY, "CREATE SCHEMA public", "GRANT USAGE ON SCHEMA public TO PUBLIC");
        store = JdbcStore.open(database.dataSource());
        store.install();
        store.create(SequenceDefinition.of("invoice_id"));
        database.execute("CREATE TABLE invoice (id bigint PRIMARY KEY, note text, number bigint UNIQUE)");
        sql = SqlSession.on(database);
        other = SqlSession.on(database);
    }

    @AfterEach
    void close() throws SQLException {
        other.close();
        sql.close();
        store.close();
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(Server::close);
        SERVERS.clear();
        DATABASES.clear();
    }

    private static Server systems() {
        return SERVERS.computeIfAbsent(
                Version.OF_THE_SYSTEM, any -> Server.installedPostgresql(Map.of("max_prepared_transactions", "3")));
    }

    private void number(String table, String column) {
        store.atCommit(ColumnName.of(table, column), Optional.of("invoice_id"), false);
    }

    private void numberInvoices() {
        number("invoice", "number");
    }

    private static String insert(long id) {
        return "INSERT INTO invoice (id) VALUES (" + id + ")";
    }

    private static void each(SqlSession session, String... statements) throws SQLException {
        for (String statement : statements) {
            session.run(statement);
        }
    }

    private String numbers() throws SQLException {
        return sql.texts(NUMBERS).get(0);
    }

    private long next() {
        return store.describe("invoice_id").nextValue();
    }

    @Test
    void a_row_gets_its_number_with_the_commit_and_nobody_waits_before() throws SQLException {
        numberInvoices();
        each(sql, "BEGIN", insert(1), "SET LOCAL lock_timeout = '5s'");
        each(other, "BEGIN", "SET LOCAL lock_timeout = '5s'", insert(2));
        assertThat(numbers()).isEqualTo("1=-");
        other.run("COMMIT");
        each(sql, insert(3), "COMMIT");
        assertThat(numbers()).isEqualTo("1=2 2=1 3=3");
        assertThat(next()).isEqualTo(4);
        sql.run(insert(4));
        assertThat(numbers()).isEqualTo("1=2 2=1 3=3 4=4");
        assertThat(store.reserve("invoice_id", 1).block().first()).isEqualTo(5);
    }

    @Test
    void a_row_that_is_gone_before_the_commit_draws_nothing() throws SQLException {
        numberInvoices();
        each(sql, "BEGIN", insert(1), insert(2), "DELETE FROM invoice WHERE id = 1", "COMMIT");
        each(sql, "BEGIN", insert(3), "DELETE FROM invoice WHERE id = 3", "COMMIT");
        each(sql, "BEGIN", insert(3), "DELETE FROM invoice WHERE id = 3", insert(3), "COMMIT");
        assertThat(numbers()).isEqualTo("2=1 3=2");
        assertThat(next()).isEqualTo(3);
    }

    @Test
    void a_row_keeps_its_number_under_another_key() throws SQLException {
        numberInvoices();
        each(sql, "BEGIN", insert(1), "UPDATE invoice SET id = 7", insert(8), "COMMIT");
        assertThat(numbers()).isEqualTo("7=1 8=2");
        each(sql, "BEGIN", insert(1), "UPDATE invoice SET id = 2 WHERE id = 1");
        each(sql, insert(1), "UPDATE invoice SET id = 3 WHERE id = 2", "UPDATE invoice SET note = 'x'", "COMMIT");
        assertThat(sql.texts("SELECT id FROM invoice WHERE number IN (3, 4) ORDER BY id"))
                .containsExactly("1", "3");
        sql.run("UPDATE invoice SET id = id + 100");
        assertThat(next()).isEqualTo(5);
    }

    @Test
    void a_key_that_a_trigger_changes_is_followed() throws SQLException {
        each(
                sql,
                "CREATE FUNCTION shift() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN NEW.id := NEW.id + 10; RETURN NEW; END'",
                "CREATE TRIGGER shift BEFORE UPDATE OF note ON invoice FOR EACH ROW EXECUTE FUNCTION shift()");
        numberInvoices();
        each(sql, "BEGIN", insert(1), "UPDATE invoice SET note = 'x'", "COMMIT");
        assertThat(numbers()).isEqualTo("11=1");
    }

    @Test
    void a_key_of_several_columns_and_types_is_compared_by_its_own_operators() throws SQLException {
        each(
                sql,
                "CREATE EXTENSION IF NOT EXISTS ltree",
                "CREATE TYPE kind AS ENUM ('a', 'b')",
                "CREATE TABLE wide (k kind, \"The Path\" ltree, u uuid, v varchar(9), n numeric(9, 2), b bytea, number int,"
                        + " note text, PRIMARY KEY (v, k, u, \"The Path\", n, b) INCLUDE (note))");
        number("wide", "number");
        String row = "('a', 'x.y', gen_random_uuid(), 'v', 1.50, '\\x01')";
        each(sql, "BEGIN", "INSERT INTO wide VALUES " + row + ", " + row, "UPDATE wide SET n = n + 1, k = 'b'");
        each(sql, "COMMIT", "INSERT INTO wide VALUES " + row);
        assertThat(sql.texts("SELECT number FROM wide ORDER BY number")).containsExactly("1", "2", "3");
    }

    @Test
    void a_number_that_the_program_stores_stays() throws SQLException {
        numberInvoices();
        each(sql, "INSERT INTO invoice VALUES (1, '', 500)", "BEGIN", insert(2), insert(3));
        each(sql, "UPDATE invoice SET number = 600 WHERE id = 2", "COMMIT");
        assertThat(numbers()).isEqualTo("1=500 2=600 3=1");
        assertThat(next()).isEqualTo(2);
    }

    @Test
    void rollbacks_draw_nothing() throws SQLException {
        numberInvoices();
        each(sql, "BEGIN", insert(1), "ROLLBACK", "BEGIN", insert(2), "SAVEPOINT a", insert(3), insert(4));
        each(sql, "ROLLBACK TO a", insert(5), "SAVEPOINT b", insert(6), "RELEASE b", "COMMIT");
        assertThat(numbers()).isEqualTo("2=1 5=2 6=3");
        assertThat(next()).isEqualTo(4);
        // The commit itself fails, after the draw.
        each(sql, "CREATE TABLE line (invoice bigint REFERENCES invoice DEFERRABLE INITIALLY DEFERRED)");
        each(sql, "BEGIN", insert(7), "INSERT INTO line VALUES (99)");
        assertThatThrownBy(() -> sql.run("COMMIT")).hasMessageContaining("foreign key");
        sql.run(insert(8));
        assertThat(numbers()).isEqualTo("2=1 5=2 6=3 8=4");
    }

    @Test
    void copy_and_bulk_inserts_are_numbered_in_their_order() throws Exception {
        numberInvoices();
        SqlClient.psql(database).run("COPY invoice (id) FROM STDIN;\n30\n20\n10\n\\.\n");
        assertThat(numbers()).isEqualTo("10=3 20=2 30=1");
        sql.run("INSERT INTO invoice (id) SELECT n FROM generate_series(101, 300) AS n");
        assertThat(sql.number("SELECT count(*) FROM invoice WHERE number = id - 97"))
                .isEqualTo(200);
    }

    @Test
    void on_conflict_draws_for_new_rows_only() throws SQLException {
        numberInvoices();
        sql.run(insert(1));
        sql.run(insert(1) + " ON CONFLICT DO NOTHING");
        sql.run("INSERT INTO invoice (id) VALUES (1), (2) ON CONFLICT (id) DO UPDATE SET note = 'again'");
        assertThat(numbers()).isEqualTo("1=1 2=2");
        assertThat(next()).isEqualTo(3);
    }

    @Test
    void set_constraints_immediate_draws_at_once() throws SQLException {
        numberInvoices();
        each(sql, "BEGIN", insert(1), "SET CONSTRAINTS ALL IMMEDIATE", insert(2));
        assertThat(numbers()).isEqualTo("1=1 2=2");
        each(other, "SET lock_timeout = '300ms'");
        assertThatThrownBy(() -> other.run(insert(3))).hasMessageContaining("lock timeout");
        each(sql, "SAVEPOINT a", insert(4), "ROLLBACK TO a", "COMMIT");
        other.run(insert(3));
        assertThat(numbers()).isEqualTo("1=1 2=2 3=3");
    }

    @Test
    void partitions_are_numbered_by_one_trigger() throws SQLException {
        each(
                sql,
                "CREATE TABLE bill (id bigint, year int, number bigint, PRIMARY KEY (id, year)) PARTITION BY LIST (year)",
                "CREATE TABLE bill_1 PARTITION OF bill FOR VALUES IN (1)",
                "CREATE TABLE bill_2 PARTITION OF bill FOR VALUES IN (2, 3)");
        number("bill", "number");
        each(sql, "CREATE TABLE bill_4 PARTITION OF bill FOR VALUES IN (4)", "BEGIN");
        each(sql, "INSERT INTO bill VALUES (1, 1), (2, 2), (3, 4), (4, 2)", "INSERT INTO bill_1 VALUES (5, 1)");
        each(sql, "UPDATE bill SET year = 4 WHERE id = 1", "UPDATE bill SET year = 3 WHERE id = 2", "COMMIT");
        each(sql, "UPDATE bill SET year = 1 WHERE id = 3"); // has its number already
        assertThat(sql.texts("SELECT number FROM bill ORDER BY number")).containsExactly("1", "2", "3", "4", "5");
        assertThat(next()).isEqualTo(6);
    }

    @Test
    void children_that_inherit_are_left_alone() throws SQLException {
        sql.run("CREATE TABLE special () INHERITS (invoice)");
        numberInvoices();
        each(sql, "INSERT INTO special (id) VALUES (1)", insert(1));
        assertThat(sql.texts("SELECT coalesce(number, 0) FROM invoice ORDER BY 1"))
                .containsExactly("0", "1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ünï côde", "50% {column_text} %s %1$I", "$create$ $$", "drawn"})
    void any_name_will_do(String name) throws SQLException {
        String quoted = '"' + name + '"';
        String words = Stream.of("own", "drawn", "stored", "t", "new")
                .filter(word -> !word.equals(name))
                .map(word -> word + " int, ")
                .collect(Collectors.joining());
        each(
                sql,
                "CREATE SCHEMA " + quoted,
                "CREATE TABLE " + quoted + "." + quoted + " (" + quoted + " bigint, " + words
                        + "\"New\" int PRIMARY KEY)");
        String sequence = "it's \"" + name + "\" \\ %";
        store.create(SequenceDefinition.of(sequence));
        store.atCommit(ColumnName.of(name, name, name), Optional.of(sequence), false);
        each(sql, "SET search_path = ''", "INSERT INTO " + quoted + "." + quoted + " (\"New\") VALUES (5)");
        assertThat(sql.number("SELECT " + quoted + " FROM " + quoted + "." + quoted))
                .isEqualTo(1);
        store.atCommit(ColumnName.of(name, name, name), Optional.empty(), false);
    }

    @Test
    void long_names_do_not_collide() throws SQLException {
        String table = "t".repeat(63);
        String column = "ö".repeat(30);
        sql.run("CREATE TABLE " + table + " (id int PRIMARY KEY, " + column + "a bigint, " + column + "b bigint)");
        store.create(SequenceDefinition.of("second").toBuilder().startWith(100).build());
        store.atCommit(ColumnName.of(table, column + "a"), Optional.of("invoice_id"), false);
        store.atCommit(ColumnName.of(table, column + "b"), Optional.of("second"), false);
        sql.run("INSERT INTO " + table + " VALUES (1), (2)");
        assertThat(sql.texts("SELECT " + column + "a || ' ' || " + column + "b FROM " + table + " ORDER BY id"))
                .containsExactly("1 100", "2 101");
    }

    @Test
    void a_name_that_ends_the_script_is_refused() {
        assertThatThrownBy(() -> number("invoice", "$seriatim_body$"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("rename it");
    }

    @Test
    void a_table_is_found_on_the_path_or_by_its_schema() throws SQLException {
        each(
                sql,
                "CREATE SCHEMA acme",
                "CREATE TABLE acme.invoice (id int PRIMARY KEY, number numeric)",
                "CREATE TABLE acme.bill (id int PRIMARY KEY, number smallint)");
        store.atCommit(ColumnName.of("acme", "invoice", "number"), Optional.of("invoice_id"), false);
        each(sql, insert(1), "INSERT INTO acme.invoice VALUES (1)");
        assertThat(numbers()).isEqualTo("1=-");
        assertThat(sql.number("SELECT number FROM acme.invoice")).isEqualTo(1);
        refused("bill", "number", "no table public.bill");
        try (JdbcStore there =
                JdbcStore.open(database.option("currentSchema", "acme,public").dataSource())) {
            there.atCommit(ColumnName.of("bill", "number"), Optional.of("invoice_id"), false);
        }
        sql.run("INSERT INTO acme.bill VALUES (1)");
        assertThat(sql.number("SELECT number FROM acme.bill")).isEqualTo(2);
    }

    @Test
    void writers_need_no_right_on_the_counter() throws SQLException {
        numberInvoices();
        each(
                sql,
                "CREATE ROLE " + user + " LOGIN PASSWORD 'pass'",
                "GRANT INSERT ON invoice TO " + user,
                "GRANT CREATE ON SCHEMA public TO " + user);
        try (SqlSession writer = SqlSession.on(database.as(user, "pass"))) {
            writer.run(insert(1));
            for (String denied : List.of(
                    "SELECT next_val('invoice_id')",
                    "SELECT * FROM seriatim_sequence",
                    "UPDATE invoice SET number = 2",
                    "SELECT invoice_number_at_commit()")) {
                assertThatThrownBy(() -> writer.run(denied)).hasMessageContaining("permission denied");
            }
            writer.run("CREATE TABLE mine (id bigint PRIMARY KEY, number bigint)");
            assertThatThrownBy(() -> writer.run("CREATE TRIGGER steal AFTER INSERT ON mine FOR EACH ROW"
                            + " EXECUTE FUNCTION invoice_number_at_commit()"))
                    .hasMessageContaining("permission denied");
        }
        assertThat(numbers()).isEqualTo("1=1");
    }

    @Test
    void the_owner_of_a_table_need_not_be_the_owner_of_the_counter() throws SQLException {
        each(
                sql,
                "CREATE ROLE " + user + " LOGIN PASSWORD 'pass'",
                "CREATE SCHEMA theirs AUTHORIZATION " + user,
                "CREATE TABLE theirs.bill (id int PRIMARY KEY, number bigint)",
                "ALTER TABLE theirs.bill OWNER TO " + user,
                "GRANT SELECT ON seriatim_sequence TO " + user);
        ColumnName column = ColumnName.of("theirs", "bill", "number");
        assertThatThrownBy(() -> store.atCommit(column, Optional.of("invoice_id"), false))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("belongs to " + user)
                .hasMessageContaining("install as " + user);
        try (JdbcStore theirs = JdbcStore.open(database.as(user, "pass").dataSource())) {
            assertThatThrownBy(() -> theirs.atCommit(column, Optional.of("invoice_id"), false))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("GRANT EXECUTE ON FUNCTION public.next_val(text) TO " + user);
            sql.run("GRANT EXECUTE ON FUNCTION next_val(text) TO " + user);
            theirs.atCommit(column, Optional.of("invoice_id"), false);
        }
        sql.run("INSERT INTO theirs.bill VALUES (1)");
        assertThat(sql.number("SELECT number FROM theirs.bill")).isEqualTo(1);
    }

    private void refused(String table, String column, String reason) {
        assertThatThrownBy(() -> number(table, column))
                .as(table + "." + column)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("\n");
    }

    @Test
    void a_column_that_cannot_be_numbered_is_refused_with_the_remedy() throws SQLException {
        each(
                sql,
                "CREATE TABLE t (id int, filled bigint NOT NULL, spoken text, owed real, own bigint DEFAULT 0,"
                        + " made bigint GENERATED ALWAYS AS IDENTITY, twice bigint GENERATED ALWAYS AS (id * 2) STORED,"
                        + " number bigint)",
                "CREATE VIEW seen AS SELECT * FROM t",
                "CREATE UNLOGGED TABLE short (id int PRIMARY KEY, number bigint)",
                "CREATE DOMAIN whole AS bigint NOT NULL",
                "CREATE TABLE strict (id int PRIMARY KEY, number whole)");
        refused("t", "number", "ALTER TABLE public.t ADD PRIMARY KEY");
        sql.run("ALTER TABLE t ADD PRIMARY KEY (id)");
        refused("t", "filled", "ALTER TABLE public.t ALTER COLUMN filled DROP NOT NULL");
        refused("t", "id", "number another column");
        refused("t", "spoken", "ALTER TABLE public.t ALTER COLUMN spoken TYPE bigint");
        refused("t", "owed", "is of type real");
        refused("t", "own", "fills itself");
        refused("t", "made", "is NOT NULL");
        refused("t", "twice", "fills itself");
        refused("t", "none", "has no column \"none\"");
        refused("none", "number", "no table public.\"none\"");
        refused("seen", "number", "not an ordinary or partitioned table");
        refused("short", "number", "unlogged");
        refused("strict", "number", "is of type public.whole");
        sql.run("CREATE TEMPORARY TABLE invoice (id int PRIMARY KEY, number bigint)");
        numberInvoices(); // not that of a session
        assertThatThrownBy(() -> store.atCommit(ColumnName.of("t", "number"), Optional.of("no_such"), false))
                .isInstanceOf(NotFound.class);
        assertThatThrownBy(
                        () -> store.atCommit(ColumnName.of("nowhere", "t", "number"), Optional.of("invoice_id"), false))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("no table nowhere.t");
    }

    @Test
    void missing_functions_are_named() throws SQLException {
        sql.run("DROP FUNCTION next_val(text)");
        refused("invoice", "number", "run seriatim install first");
    }

    @Test
    void triggers_of_others_are_refused() throws SQLException {
        each(
                sql,
                "CREATE ROLE " + user + " LOGIN PASSWORD 'pass'",
                "GRANT CREATE ON SCHEMA public TO " + user,
                "GRANT TRIGGER ON invoice TO " + user);
        refused("invoice", "number", "REVOKE TRIGGER ON TABLE public.invoice FROM " + user);
        try (SqlSession attack = SqlSession.on(database.as(user, "pass"))) {
            each(
                    attack,
                    "CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
                    "CREATE TRIGGER evil BEFORE UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION evil()");
        }
        sql.run("REVOKE TRIGGER ON TABLE public.invoice FROM " + user);
        refused("invoice", "number", "trigger evil of table public.invoice runs public.evil() of " + user);
        sql.run("DROP TRIGGER evil ON invoice");
        numberInvoices();
    }

    @Test
    void a_used_up_or_missing_sequence_fails_the_commit() throws SQLException {
        store.alter(
                "invoice_id", definition -> definition.toBuilder().maxValue(2L).build());
        numberInvoices();
        each(sql, insert(1), "BEGIN", insert(2), insert(3));
        assertThatThrownBy(() -> sql.run("COMMIT"))
                .hasMessageContaining("sequence 'invoice_id' is used up at 2")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("2200H"));
        sql.run(insert(4));
        assertThat(numbers()).isEqualTo("1=1 4=2");
        store.drop("invoice_id");
        assertThatThrownBy(() -> sql.run(insert(5))).hasMessageContaining("sequence 'invoice_id' not found");
        assertThat(numbers()).isEqualTo("1=1 4=2");
    }

    @Test
    void whatever_keeps_a_number_out_of_its_column_fails_the_commit() throws SQLException {
        numberInvoices();
        each(
                sql,
                "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN IF NEW.note IS NULL THEN RETURN NULL; END IF; NEW.number := OLD.number; RETURN NEW; END'",
                "CREATE TRIGGER keep BEFORE UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION keep()");
        for (String note : List.of("NULL", "'x'")) {
            assertThatThrownBy(() -> sql.run("INSERT INTO invoice VALUES (1, " + note + ")"))
                    .hasMessageContaining("keeps number 1 out of column public.invoice.number");
        }
        each(sql, "DROP TRIGGER keep ON invoice", insert(1));
        assertThat(numbers()).isEqualTo("1=1");
    }

    @Test
    void forced_row_security_fails_the_commit_rather_than_leave_a_row_without_number() throws SQLException {
        each(
                sql,
                "CREATE ROLE " + user + " LOGIN PASSWORD 'pass'",
                "GRANT EXECUTE ON FUNCTION next_val(text) TO " + user,
                "GRANT SELECT ON seriatim_sequence TO " + user,
                "GRANT CREATE ON SCHEMA public TO " + user,
                "ALTER TABLE invoice OWNER TO " + user,
                "ALTER TABLE invoice ENABLE ROW LEVEL SECURITY");
        try (JdbcStore theirs = JdbcStore.open(database.as(user, "pass").dataSource())) {
            theirs.atCommit(ColumnName.of("invoice", "number"), Optional.of("invoice_id"), false);
        }
        each(sql, insert(1), "ALTER TABLE invoice FORCE ROW LEVEL SECURITY");
        assertThatThrownBy(() -> sql.run(insert(2))).hasMessageContaining("row-level security");
        assertThat(numbers()).isEqualTo("1=1");
    }

    @Test
    void a_prepared_transaction_keeps_the_counter() throws SQLException {
        assumeTrue(version == Version.OF_THE_SYSTEM, "prepared transactions are off in the other server");
        numberInvoices();
        each(sql, "BEGIN", insert(1), "PREPARE TRANSACTION 'one'");
        other.run("SET lock_timeout = '300ms'");
        assertThatThrownBy(() -> other.run(insert(2))).hasMessageContaining("lock timeout");
        sql.run("COMMIT PREPARED 'one'");
        other.run(insert(3));
        assertThat(numbers()).isEqualTo("1=1 3=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
    void a_snapshot_that_is_too_old_fails_the_commit_with_the_remedy(String level) throws SQLException {
        numberInvoices();
        each(sql, "BEGIN ISOLATION LEVEL " + level, insert(1), "COMMIT", "BEGIN ISOLATION LEVEL " + level, insert(2));
        other.run(insert(3));
        assertThatThrownBy(() -> sql.run("COMMIT"))
                .hasMessageContaining(
                        "sequence 'invoice_id': another transaction has drawn since the snapshot of this one")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        each(sql, "BEGIN ISOLATION LEVEL " + level, insert(2), "COMMIT");
        assertThat(numbers()).isEqualTo("1=1 2=3 3=2");
    }

    @Test
    void transactions_that_fill_two_columns_in_opposite_order_deadlock_and_can_be_repeated() throws Exception {
        sql.run("CREATE TABLE bill (id bigint PRIMARY KEY, number bigint)");
        store.create(SequenceDefinition.of("bill_id"));
        numberInvoices();
        store.atCommit(ColumnName.of("bill", "number"), Optional.of("bill_id"), false);
        ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
        long began = System.nanoTime();
        // Until a deadlock has happened; then the number of turns is what was done.
        ConcurrentLinkedQueue<Long> done = new ConcurrentLinkedQueue<>();
        new Crowd(2, 400).each((thread, turn) -> {
            if (!refused.isEmpty()) {
                return;
            }
            long id = 1000L * thread + turn + 1;
            List<String> inserts = new ArrayList<>(List.of(insert(id), "INSERT INTO bill (id) VALUES (" + id + ")"));
            inserts.add(thread, "SELECT pg_sleep(0.001)");
            String both = "BEGIN; "
                    + (thread == 0 ? inserts.get(1) + "; " + inserts.get(2) : inserts.get(2) + "; " + inserts.get(0))
                    + "; COMMIT";
            while (true) {
                try {
                    (thread == 0 ? sql : other).run(both);
                    done.add(id);
                    return;
                } catch (SQLException e) {
                    assertThat(e.getSQLState()).isEqualTo("40P01");
                    refused.add(String.valueOf(e.getMessage()));
                    (thread == 0 ? sql : other).run("ROLLBACK");
                }
            }
        });
        assertThat(refused)
                .as("after %s ms", (System.nanoTime() - began) / 1_000_000)
                .isNotEmpty();
        for (String table : List.of("invoice", "bill")) {
            assertThat(sql.texts("SELECT number FROM " + table + " ORDER BY number"))
                    .isEqualTo(LongStream.rangeClosed(1, done.size())
                            .mapToObj(String::valueOf)
                            .toList());
        }
    }

    @Test
    void a_replica_leaves_the_numbers_to_the_origin() throws SQLException {
        numberInvoices();
        each(sql, "SET session_replication_role = replica", "INSERT INTO invoice VALUES (1, '', 7)", insert(2));
        assertThat(numbers()).isEqualTo("1=7 2=-");
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void a_dump_that_is_restored_numbers_only_what_comes_after_it() throws Exception {
        assumeTrue(version == Version.OF_THE_SYSTEM, "pg_dump is of the other server's version");
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "pg_dump"))),
                "pg_dump is not on the path");
        numberInvoices();
        each(sql, insert(1), insert(2));
        ProcessBuilder dump = new ProcessBuilder(
                "pg_dump",
                "--host=127.0.0.1",
                "--port=" + database.hostAndPort().replaceFirst(".*:", ""),
                "--username=" + database.user(),
                database.name());
        dump.environment().put("PGPASSWORD", database.password());
        ProgramRun run = ProgramRun.of(dump);
        assertThat(run.err()).isEmpty();
        Database restored = systems().freshDatabase();
        SqlClient.psql(restored).run(run.out().replace("CREATE SCHEMA public;", ""));
        try (SqlSession there = SqlSession.on(restored)) {
            there.run("INSERT INTO public.invoice (id) VALUES (3)");
            assertThat(there.texts(NUMBERS)).containsExactly("1=1 2=2 3=3");
        }
    }

    @Test
    void installing_again_takes_another_sequence_and_removing_ends_it() throws SQLException {
        numberInvoices();
        each(sql, insert(1));
        store.create(SequenceDefinition.named("other").startWith(70L).build());
        store.atCommit(ColumnName.of("invoice", "number"), Optional.of("other"), false);
        sql.run(insert(2));
        store.atCommit(ColumnName.of("invoice", "number"), Optional.empty(), false);
        sql.run(insert(3));
        assertThat(numbers()).isEqualTo("1=1 2=70 3=-");
        assertThat(sql.number("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"))
                .isZero();
        assertThatThrownBy(() -> store.atCommit(ColumnName.of("invoice", "number"), Optional.empty(), false))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("no trigger numbers column public.invoice.number at the commit");
        sql.run("CREATE FUNCTION invoice_number_at_commit() RETURNS int LANGUAGE sql AS 'SELECT 1'");
        refused("invoice", "number", "drop it first");
        assertThatThrownBy(() -> store.atCommit(ColumnName.of("invoice", "number"), Optional.empty(), false))
                .isInstanceOf(Misconfigured.class);
    }

    @Test
    void a_renamed_table_fails_the_commit_until_it_is_installed_again() throws SQLException {
        numberInvoices();
        sql.run("ALTER TABLE invoice RENAME TO bill");
        assertThatThrownBy(() -> sql.run("INSERT INTO bill (id) VALUES (1)"))
                .hasMessageContaining("invoice\" does not exist");
        store.atCommit(ColumnName.of("invoice", "number"), Optional.empty(), false);
        number("bill", "number");
        sql.run("INSERT INTO bill (id) VALUES (1)");
        assertThat(sql.number("SELECT number FROM bill")).isEqualTo(1);
    }

    @Test
    void the_script_does_the_same() throws Exception {
        String install = store.atCommit(ColumnName.of("invoice", "number"), Optional.of("invoice_id"), true);
        sql.run(insert(1));
        assertThat(numbers()).isEqualTo("1=-");
        SqlClient psql = SqlClient.psql(database);
        assertThat(psql.run(install + install)).isEmpty();
        sql.run(insert(2));
        assertThat(numbers()).isEqualTo("1=- 2=1");
        String remove = store.atCommit(ColumnName.of("invoice", "number"), Optional.empty(), true);
        assertThat(psql.run(remove)).isEmpty();
        sql.run(insert(3));
        assertThat(numbers()).isEqualTo("1=- 2=1 3=-");
        assertThatCode(() -> psql.run(remove)).hasMessageContaining("no trigger numbers column");
        sql.run("ALTER TABLE invoice DROP CONSTRAINT invoice_pkey");
        assertThatCode(() -> psql.run(install)).hasMessageContaining("has no primary key");
    }

    @Test
    void an_installation_waits_for_no_writer_longer_than_the_patience() throws SQLException {
        numberInvoices();
        try (JdbcStore hurried = JdbcStore.open(
                database.dataSource(), SequenceTable.own(), DurabilityCheck.REQUIRED, Duration.ofSeconds(3))) {
            each(sql, "BEGIN", insert(1));
            CompletableFuture<Void> waits = CompletableFuture.runAsync(
                    () -> hurried.atCommit(ColumnName.of("invoice", "number"), Optional.of("invoice_id"), false));
            assertThatThrownBy(waits::join).hasMessageContaining("locked by another session");
            sql.run("COMMIT");
            assertThat(numbers()).isEqualTo("1=1");
        }
    }

    @Test
    void many_transactions_with_rollbacks_leave_no_gap() throws SQLException {
        numberInvoices();
        ConcurrentLinkedQueue<SqlSession> sessions = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < 4; i++) {
            sessions.add(SqlSession.on(database));
        }
        new Crowd(4, 30).each((thread, turn) -> {
            SqlSession session = sessions.remove();
            long id = 1000L * thread + 2L * turn;
            each(session, "BEGIN", insert(id), insert(id + 1), turn % 4 == 3 ? "ROLLBACK" : "COMMIT");
            sessions.add(session);
        });
        for (SqlSession session : sessions) {
            session.close();
        }
        long count = sql.number("SELECT count(*) FROM invoice");
        assertThat(sql.texts("SELECT number FROM invoice ORDER BY number"))
                .isEqualTo(LongStream.rangeClosed(1, count)
                        .mapToObj(String::valueOf)
                        .toList());
        assertThat(next()).isEqualTo(count + 1);
    }
}
