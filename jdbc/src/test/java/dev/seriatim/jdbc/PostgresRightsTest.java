// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A superuser installs the functions; others try to run their own code with the superuser's privileges through
 * objects that they may create or own.
 */
@ParameterizedClass
@EnumSource
@Tag("long")
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class PostgresRightsTest {

    /** The PostgreSQL installations under test. */
    enum Version {
        OF_MAVEN {
            @Override
            Database freshDatabase() {
                return Engine.POSTGRESQL.freshDatabase();
            }
        },
        OF_THE_SYSTEM {
            @Override
            Database freshDatabase() {
                return SERVERS.computeIfAbsent(this, version -> Server.installedPostgresql(Map.of()))
                        .freshDatabase();
            }
        };

        abstract Database freshDatabase();
    }

    private static final Map<Version, Server> SERVERS = new ConcurrentHashMap<>();

    private static final String PASSWORD = "pass";

    private final Version version;
    private Database database;
    private String superuser = "";
    private String attacker = "";
    private String app = "";

    PostgresRightsTest(Version version) {
        this.version = version;
    }

    @BeforeEach
    void open() throws SQLException {
        database = version.freshDatabase();
        superuser = database.user();
        attacker = "attacker_" + database.name();
        app = "app_" + database.name();
        database.execute(
                "CREATE ROLE " + attacker + " LOGIN PASSWORD '" + PASSWORD + "'",
                "CREATE ROLE " + app + " LOGIN PASSWORD '" + PASSWORD + "'",
                "GRANT CREATE ON SCHEMA public TO " + attacker + ", " + app);
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(Server::close);
        SERVERS.clear();
    }

    @Test
    void an_operator_of_others_in_the_schema_is_not_called() throws SQLException {
        install();
        letTheAppCallAll();
        attack(
                evil("evil(numeric, bigint)", "numeric", "$1 OPERATOR(pg_catalog.+) $2::numeric"),
                "CREATE OPERATOR public.+ (LEFTARG = numeric, RIGHTARG = bigint, FUNCTION = public.evil)");
        try (SqlSession sql = SqlSession.on(asApp())) {
            sql.run("SELECT create_sequence('a')");
            assertThat(sql.nextVal("a")).isEqualTo(1);
            sql.setVal("a", 41);
            assertThat(sql.lastVal("a")).isEqualTo(41);
        }
        theAttackerIsNoSuperuser();
        theAttackIsGood("SELECT 1::numeric + 1::bigint");
    }

    @Test
    void an_operator_of_others_is_not_called_by_the_installation_and_the_checks_before_it() throws SQLException {
        for (String types : List.of("name, name", "text, text", "name, text", "varchar, varchar")) {
            String[] both = types.split(", ", -1);
            attack(
                    evil("join_them(" + types + ")", "text", "'x'"),
                    "CREATE OPERATOR public.|| (LEFTARG = " + both[0] + ", RIGHTARG = " + both[1]
                            + ", FUNCTION = public.join_them)");
        }
        for (String types : List.of("oid, regclass", "oid, oid", "name, name", "text, varchar", "name, varchar")) {
            String[] both = types.split(", ", -1);
            attack(
                    evil("same(" + types + ")", "boolean", "true"),
                    "CREATE OPERATOR public.= (LEFTARG = " + both[0] + ", RIGHTARG = " + both[1]
                            + ", FUNCTION = public.same)");
        }
        attack(evil("current_schema()", "name", "'public'::name"), evil("version()", "text", "'PostgreSQL 18'"));
        install();
        // If the catalogue comes after the schema on the path, even names that it contains are found in the schema
        // first.
        try (JdbcStore store = JdbcStore.open(
                database.option("options", "-c search_path=public,pg_catalog").dataSource())) {
            store.install();
            store.script();
        }
        theAttackerIsNoSuperuser();
        theAttackIsGood("SELECT 'pg_class'::regclass::oid = 'pg_class'::regclass");
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "last BIGINT", "last NUMERIC", "next BIGINT", "next INTEGER"})
    void every_operator_and_function_is_the_one_of_the_catalogue_even_with_the_schema_on_the_path(String kind)
            throws SQLException {
        SequenceTable table = SequenceTable.own();
        if (!kind.equals("own")) {
            database.execute(
                    "CREATE TABLE plain (n VARCHAR(30) PRIMARY KEY, v " + kind.substring(kind.indexOf(' ') + 1) + ")");
            table = kind.startsWith("last")
                    ? SequenceTable.lastValue("plain", "n", "v")
                    : SequenceTable.nextValue("plain", "n", "v").with(d -> d.maxValue(1_000_000L));
        }
        install(table);
        letTheAppCallAll();
        setTraps();
        try (SqlSession sql = SqlSession.on(database)) {
            for (String function : sql.texts("SELECT oid::regprocedure::text FROM pg_proc WHERE prosecdef")) {
                sql.run("ALTER FUNCTION " + function + " SET search_path = public, pg_temp");
            }
            for (String trapped : List.of(
                    "SELECT 1::numeric + 1::bigint",
                    "SELECT 1::bigint < 1::numeric",
                    "SELECT 'a'::varchar = 'a'::text",
                    "SELECT format('%s'::text, 1::bigint)")) {
                assertThatThrownBy(() -> sql.texts(trapped)).as(trapped).hasMessageContaining("trapped");
            }
        }
        try (SqlSession sql = SqlSession.on(asApp())) {
            sql.run("SELECT create_sequence('a')");
            sql.run("SELECT create_sequence('b', 5, 1)");
            assertThat(sql.nextVal("a")).isEqualTo(1);
            assertThat(sql.nextVal("a")).isEqualTo(2);
            assertThat(sql.lastVal("a")).isEqualTo(2);
            assertThat(sql.setVal("a", 41)).isEqualTo(41);
            assertThat(sql.nextVal("a")).isEqualTo(42);
            sql.setVal("a", table.template().max());
            assertThat(sql.lastVal("a")).isEqualTo(table.template().max());
            for (String refused : List.of(
                    "next_val('a')",
                    "next_val('none')",
                    "next_val(NULL)",
                    "last_val('none')",
                    "set_val('a', -5)",
                    "set_val('none', 1)",
                    "create_sequence('a')",
                    "create_sequence('')",
                    "create_sequence('c', -5)",
                    "create_sequence('c', 1, 0)",
                    "drop_sequence('none')")) {
                assertThatThrownBy(() -> sql.ask("SELECT " + refused))
                        .as(refused)
                        .isInstanceOf(SQLException.class)
                        .hasMessageNotContaining("trapped");
            }
            if (kind.equals("own")) {
                sql.run("SELECT create_sequence('round', 1, 1, max_value => 2, cycle => true)");
                for (int i = 0; i < 5; i++) {
                    sql.nextVal("round");
                }
                for (String refused : List.of(
                        "create_sequence('c', min_value => 2, max_value => 1)", "create_sequence('c', cache => 0)")) {
                    assertThatThrownBy(() -> sql.ask("SELECT " + refused)).hasMessageNotContaining("trapped");
                }
            }
            assertThat(sql.number("SELECT drop_sequence('a')")).isEqualTo(1);
        }
    }

    /**
     * Creates an operator that raises an error for each operator and pair of types that the catalogue does not have.
     */
    private void setTraps() throws SQLException {
        List<String> types = List.of("smallint", "integer", "bigint", "numeric", "float8", "text", "varchar", "bpchar");
        List<String> statements = new ArrayList<>(List.of("BEGIN")); // a commit for each takes long
        Map<String, List<String>> operators = Map.of(
                "numeric", List.of("+", "-", "*"),
                "boolean", List.of("=", "<>", "<", ">", "<=", ">="),
                "text", List.of("||"));
        operators.forEach((result, names) -> {
            for (String left : types) {
                for (String right : types) {
                    statements.add("CREATE FUNCTION public.trap_" + result + "(" + left + ", " + right + ") RETURNS "
                            + result + " LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$");
                    for (String name : names) {
                        statements.add("CREATE OPERATOR public." + name + " (LEFTARG = " + left + ", RIGHTARG = "
                                + right + ", FUNCTION = public.trap_" + result + ")");
                    }
                }
            }
        });
        for (String function : List.of(
                "format(text, bigint)",
                "format(text, bigint, bigint)",
                "format(text, bigint, bigint, bigint)",
                "left(varchar, integer)",
                "char_length(varchar)",
                "floor(bigint)",
                "clock_timestamp(integer)")) {
            statements.add("CREATE FUNCTION public." + function
                    + " RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$");
        }
        statements.add("COMMIT");
        attack(statements.toArray(String[]::new));
    }

    @Test
    void what_the_caller_has_in_its_session_is_not_used() throws SQLException {
        install();
        letTheAppCallAll();
        database.execute("SELECT create_sequence('a', 500, 1)");
        try (SqlSession sql = SqlSession.on(asApp())) {
            sql.run("SET search_path = pg_temp, public, pg_catalog");
            sql.run("CREATE TEMPORARY TABLE seriatim_sequence (name varchar, next_value bigint, start_with bigint,"
                    + " increment_by bigint, min_value bigint, max_value bigint, cycle bigint, cache bigint,"
                    + " used_up bigint, epoch bigint)");
            sql.run("INSERT INTO seriatim_sequence VALUES ('a', 1, 1, 1, 1, 99, 0, 1, 0, 0)");
            sql.run("CREATE DOMAIN pg_temp.text AS pg_catalog.text");
            sql.run("CREATE DOMAIN pg_temp.numeric AS pg_catalog.int4");
            assertThat(sql.number("SELECT public.next_val('a')")).isEqualTo(500);
            assertThat(sql.number("SELECT public.last_val('a')")).isEqualTo(500);
        }
    }

    @Test
    void a_table_of_another_user_is_refused_and_that_user_can_install() throws SQLException {
        try (JdbcStore store = JdbcStore.open(asApp().dataSource())) {
            store.create(SequenceDefinition.of("a"));
        }
        asApp().execute(
                        evil("evil()", "trigger", "NEW", app),
                        "CREATE TRIGGER evil BEFORE UPDATE ON seriatim_sequence FOR EACH ROW EXECUTE FUNCTION evil()");
        refused("table public.seriatim_sequence belongs to " + app, "rights of " + superuser, "seriatim.owner");
        assertThatThrownBy(() -> install(SequenceTable.own().ownedBy(app)))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("install as " + app);
        assertThat(functions()).isEmpty();

        try (JdbcStore store = JdbcStore.open(asApp().dataSource())) {
            store.install();
        }
        database.execute("SELECT next_val('a')");
        isNoSuperuser(app);
        // The effect shows that it ran with the privileges of the table's owner.
        assertThat(database.number("SELECT count(*) FROM pg_trigger WHERE tgname = 'evil'"))
                .isEqualTo(1);
    }

    @Test
    void a_table_of_an_ordinary_user_is_refused_to_another_ordinary_user() throws SQLException {
        asApp().execute("CREATE TABLE seq_table (seq_name varchar(30) primary key, last_val bigint)");
        asApp().execute("GRANT ALL ON seq_table TO " + attacker);
        assertThatThrownBy(() -> install(asAttacker(), SequenceTable.lastValue("seq_table", "seq_name", "last_val")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("table public.seq_table belongs to " + app);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER t BEFORE UPDATE ON seriatim_sequence FOR EACH ROW EXECUTE FUNCTION public.evil()",
                "CREATE TRIGGER t BEFORE UPDATE ON seriatim_sequence FOR EACH ROW"
                        + " WHEN (query_to_xml('select 1', true, true, '') IS NOT NULL)"
                        + " EXECUTE FUNCTION suppress_redundant_updates_trigger()",
                "CREATE RULE t AS ON UPDATE TO seriatim_sequence DO ALSO SELECT public.evil_number()",
                "ALTER TABLE seriatim_sequence ADD CHECK (public.evil_number() IS NOT NULL)",
                "ALTER TABLE seriatim_sequence ADD CHECK (query_to_xml('select 1', true, true, '') IS NOT NULL)",
                "ALTER TABLE seriatim_sequence ALTER cache SET DEFAULT public.evil_number()",
                "ALTER TABLE seriatim_sequence ADD generated bigint GENERATED ALWAYS AS (public.evil_number()) STORED",
                "ALTER TABLE seriatim_sequence ALTER cache TYPE public.evil_domain",
                "CREATE INDEX i ON seriatim_sequence ((public.evil_number()))",
                "CREATE POLICY p ON seriatim_sequence USING (public.evil_number() IS NOT NULL)",
                "CREATE TABLE child () INHERITS (seriatim_sequence)"
            })
    void what_a_former_owner_left_on_the_table_is_refused(String left) throws SQLException {
        try (JdbcStore store = JdbcStore.open(asAttacker().dataSource())) {
            store.create(SequenceDefinition.of("a"));
        }
        attack(
                evil("evil()", "trigger", "NEW"),
                evil("evil_number()", "bigint", "7").replace("LANGUAGE plpgsql", "IMMUTABLE LANGUAGE plpgsql"),
                "CREATE DOMAIN public.evil_domain AS bigint CHECK (VALUE > public.evil_number() - 10)",
                left);
        database.execute("ALTER TABLE seriatim_sequence OWNER TO " + superuser);
        assertThatThrownBy(this::install)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("seriatim_sequence")
                .hasMessageContaining("rights of " + superuser)
                .hasMessageContaining("drop it")
                .hasMessageNotContaining("\n");
        assertThat(functions()).isEmpty();
        theAttackerIsNoSuperuser();
    }

    @Test
    void what_others_commit_while_it_installs_is_refused() throws Exception {
        database.execute(
                "ALTER DATABASE " + database.name() + " SET default_transaction_isolation = 'repeatable read'");
        try (SqlSession sql = SqlSession.on(asAttacker())) {
            // It does not exist at the installation's first check, but does when it would be created.
            sql.connection().setAutoCommit(false);
            sql.run("CREATE TABLE seriatim_sequence (name varchar(64) primary key, next_value bigint)");
            Thread installing = new Thread(() -> assertThatThrownBy(this::install)
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("belongs to " + attacker));
            List<Throwable> wrong = new ArrayList<>();
            installing.setUncaughtExceptionHandler((thread, e) -> wrong.add(e));
            installing.start();
            while (database.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND datname = current_database()")
                    == 0) {
                assertThat(installing.isAlive()).as(wrong.toString()).isTrue();
                Thread.sleep(10);
            }
            sql.connection().commit();
            installing.join();
            assertThat(wrong).isEmpty();
        }
        assertThat(functions()).isEmpty();
    }

    @Test
    void a_view_in_the_place_of_the_table_is_refused() throws SQLException {
        database.execute("CREATE TABLE real (n varchar(30) primary key, v bigint)", "CREATE VIEW seen AS TABLE real");
        assertThatThrownBy(() -> install(SequenceTable.lastValue("seen", "n", "v")))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("public.seen is not an ordinary table");
    }

    @Test
    void the_right_to_add_triggers_is_taken_from_all_others() throws SQLException {
        database.execute("ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO " + app + ", PUBLIC");
        install();
        letTheAppCallAll();
        String add = "CREATE TRIGGER evil BEFORE UPDATE ON seriatim_sequence FOR EACH ROW EXECUTE FUNCTION evil()";
        asApp().execute(evil("evil()", "trigger", "NEW", app));
        assertThatThrownBy(() -> asApp().execute(add)).hasMessageContaining("permission denied");
        database.execute("GRANT ALL ON seriatim_sequence TO " + app);
        install();
        assertThatThrownBy(() -> asApp().execute(add)).hasMessageContaining("permission denied");
        assertThatThrownBy(() -> asApp().execute(add.replace("seriatim_sequence", "seriatim_sequence_pool")))
                .hasMessageContaining("permission denied");
        // The other functions remain.
        asApp().execute("UPDATE seriatim_sequence SET cache = 7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"next_val(name text)", "next_val(name varchar)", "create_sequence(name varchar, a integer)"})
    void a_function_that_another_user_put_there_first_is_refused(String function) throws SQLException {
        attack(
                "CREATE FUNCTION public." + function + " RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint'",
                "COMMENT ON FUNCTION public." + function.replace("name ", "").replace("a integer", "integer")
                        + " IS 'Seriatim, table seriatim_sequence: draws'");
        refused(
                "function public." + function.substring(0, function.indexOf('(')),
                "belongs to " + attacker + ", not to " + superuser,
                "DROP ROUTINE public.");
        String message = refused();
        database.execute(message.substring(message.indexOf("DROP ROUTINE"), message.lastIndexOf(')') + 1));
        install();
    }

    @Test
    void a_table_for_the_mode_POOLED_that_another_user_put_there_first_is_refused() throws SQLException {
        attack("CREATE TABLE seriatim_sequence_pool (name varchar(64), place bigint, value bigint)");
        refused("table public.seriatim_sequence_pool belongs to " + attacker);
    }

    @Test
    void a_schema_of_another_user_is_refused() throws SQLException {
        database.execute("CREATE SCHEMA theirs AUTHORIZATION " + attacker, "GRANT USAGE ON SCHEMA theirs TO PUBLIC");
        Database there = database.option("currentSchema", "theirs");
        assertThatThrownBy(() -> install(there, SequenceTable.own()))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("schema theirs belongs to " + attacker)
                .hasMessageContaining("seriatim.owner");
        assertThatThrownBy(() -> install(there, SequenceTable.own().ownedBy(attacker)))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("install as " + attacker);
        install(asAttacker().option("currentSchema", "theirs"), SequenceTable.own());
    }

    @Test
    void the_owner_of_the_database_has_a_say_in_its_public_schema() throws SQLException {
        database.execute("ALTER DATABASE " + database.name() + " OWNER TO " + attacker);
        if (database.number("SELECT count(*) FROM pg_roles WHERE rolname = 'pg_database_owner'") == 1) {
            database.execute("ALTER SCHEMA public OWNER TO pg_database_owner");
            refused("schema public belongs to " + attacker);
            install(asAttacker(), SequenceTable.own());
            database.execute("ALTER TABLE seriatim_sequence OWNER TO " + app);
            assertThatThrownBy(() -> install(asAttacker(), SequenceTable.own().ownedBy(app)))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("ALTER TABLE public.seriatim_sequence OWNER TO " + attacker);
        } else {
            install();
        }
    }

    @Test
    void a_search_path_without_a_schema_to_create_in_is_an_error_that_says_so() {
        for (String path : List.of("missing", "pg_temp")) {
            assertThatThrownBy(() -> install(database.option("options", "-c search_path=" + path), SequenceTable.own()))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("search_path")
                    .hasMessageNotContaining("\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\nCREATE ROLE evil", "x$seriatim$; CREATE ROLE evil"})
    void a_schema_whose_name_is_made_to_break_out_of_a_script_is_refused(String schema) throws SQLException {
        database.execute("CREATE SCHEMA \"" + schema + "\"");
        try (JdbcStore store = JdbcStore.open(
                database.option("currentSchema", '"' + schema + '"').dataSource())) {
            for (ThrowingCallable each : List.<ThrowingCallable>of(store::install, store::script)) {
                assertThatThrownBy(each)
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("rename it")
                        .hasMessageNotContaining("\n");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PG_CATALOG", "a \"b\" $$ 'c' {table} \\", "semi; // -- colon", "ünïcode"})
    void a_schema_of_any_name_will_do(String schema) throws Exception {
        String quoted = '"' + schema.replace("\"", "\"\"") + '"';
        database.execute(
                "CREATE SCHEMA " + quoted, "ALTER DATABASE " + database.name() + " SET search_path = " + quoted);
        install();
        try (SqlSession sql = SqlSession.on(database)) {
            sql.run("SELECT create_sequence('a')");
            assertThat(sql.nextVal("a")).isEqualTo(1);
        }
        database.execute("ALTER DATABASE " + database.name() + " RESET search_path");
        try (JdbcStore store =
                JdbcStore.open(database.option("currentSchema", quoted).dataSource())) {
            SqlClient.psql(database).run(store.script());
        }
        try (SqlSession sql = SqlSession.on(database)) {
            assertThat(sql.number("SELECT " + quoted + ".next_val('a')")).isEqualTo(2);
        }
    }

    @Test
    void what_is_printed_refuses_the_same() throws Exception {
        String script;
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            script = store.script();
        }
        SqlClient psql = SqlClient.psql(database);
        try (JdbcStore store = JdbcStore.open(asApp().dataSource())) {
            store.create(SequenceDefinition.of("a"));
        }
        assertThatThrownBy(() -> psql.run(script))
                .hasMessageContaining("table public.seriatim_sequence belongs to " + app);
        database.execute("DROP TABLE seriatim_sequence");
        attack("CREATE FUNCTION public.last_val(text) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint'");
        assertThatThrownBy(() -> psql.run(script))
                .hasMessageContaining("function public.last_val(text) belongs to " + attacker);
        database.execute("DROP FUNCTION last_val(text)", "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO " + attacker);
        psql.run(script);
        assertThat(functions())
                .hasSize(5)
                .allMatch(text -> text.contains("SET search_path TO 'pg_catalog', 'pg_temp'"));
        assertThat(database.number(
                        "SELECT has_table_privilege('" + attacker + "', 'seriatim_sequence', 'TRIGGER')::int"))
                .isZero();
    }

    @Test
    void functions_of_an_older_version_are_replaced() throws SQLException {
        install();
        try (SqlSession sql = SqlSession.on(database)) {
            for (String function : sql.texts("SELECT oid::regprocedure::text FROM pg_proc WHERE prosecdef")) {
                sql.run("ALTER FUNCTION " + function + " SET search_path = public, pg_temp");
            }
            letTheAppCallAll();
            install();
            assertThat(functions())
                    .hasSize(5)
                    .allMatch(text -> text.contains("SET search_path TO 'pg_catalog', 'pg_temp'"));
        }
        asApp().execute("SELECT create_sequence('a')");
    }

    @Test
    void a_schema_in_which_all_may_create_is_named_with_its_remedy() throws SQLException {
        database.execute(
                "REVOKE CREATE ON SCHEMA public FROM PUBLIC"); // which PUBLIC has by default before PostgreSQL 15
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            assertThat(store.script()).doesNotContain("REVOKE CREATE");
            database.execute("GRANT CREATE ON SCHEMA public TO PUBLIC");
            assertThat(store.script())
                    .contains("-- caution: all users may create objects in schema public")
                    .contains("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
            assertThatCode(store::install).doesNotThrowAnyException();
        }
    }

    /** The columns of a table of sequences, as a query that runs the attacker's code. */
    private static final String SEEN = "SELECT 'a'::varchar AS name, 1::bigint AS next_value, 1::bigint AS start_with,"
            + " 1::bigint AS increment_by, 1::bigint AS min_value, 100::bigint AS max_value, 0::bigint AS cycle,"
            + " 1::bigint AS cache, 0::bigint AS used_up, 1::bigint AS epoch WHERE public.seen()";

    /** Lets any query on what follows make the attacker a superuser. */
    private void attackReaders(String... statements) throws SQLException {
        attack(evil("seen()", "boolean", "true"));
        attack(statements);
    }

    @Test
    void a_view_in_a_schema_that_is_named_like_the_superuser_is_read_by_no_opening() throws SQLException {
        database.execute("GRANT CREATE ON DATABASE " + database.name() + " TO " + attacker);
        attackReaders(
                "CREATE SCHEMA " + superuser,
                "GRANT USAGE ON SCHEMA " + superuser + " TO PUBLIC",
                "CREATE VIEW " + superuser + ".seriatim_sequence AS " + SEEN,
                "GRANT ALL ON " + superuser + ".seriatim_sequence TO PUBLIC");
        String found = "schema " + superuser + " belongs to " + attacker;
        for (ThrowingCallable opening : List.<ThrowingCallable>of(
                () -> JdbcStore.open(database.dataSource()),
                () -> JdbcSequences.keeping(database.dataSource(), 1, settings -> {}),
                () -> StoreDriver.open(database.url()),
                () -> DatabaseAccess.of(database.url())
                        .run(true, Duration.ofSeconds(10), session -> session.sequences((name, why) -> {})))) {
            assertThatThrownBy(opening)
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining(found)
                    .hasMessageNotContaining("\n");
        }
        theAttackerIsNoSuperuser();
        theAttackIsGood("SELECT * FROM seriatim_sequence");
    }

    @Test
    void a_catalogue_of_jobs_that_another_role_made_does_not_make_it_Aurora_DSQL() throws SQLException {
        database.execute("GRANT CREATE ON DATABASE " + database.name() + " TO " + attacker);
        attackReaders(
                "CREATE SCHEMA sys",
                "CREATE TABLE sys.jobs (job_id text)",
                "CREATE VIEW seriatim_sequence AS " + SEEN,
                "GRANT ALL ON seriatim_sequence TO PUBLIC");
        assertThatThrownBy(() -> {
                    try (OpenStore store = StoreDriver.open(database.url())) {
                        store.list();
                    }
                })
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("seriatim_sequence is not an ordinary table");
        theAttackerIsNoSuperuser();
        theAttackIsGood("SELECT * FROM seriatim_sequence");
    }

    @Test
    void a_table_of_another_role_that_refers_to_the_table_is_refused() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
        }
        database.execute("GRANT SELECT, REFERENCES ON seriatim_sequence TO " + attacker);
        attack(
                evil("evil()", "trigger", "NULL"),
                "CREATE TABLE follower (name varchar(64) COLLATE \"C\" REFERENCES seriatim_sequence ON DELETE CASCADE)",
                "INSERT INTO follower VALUES ('a')",
                "CREATE CONSTRAINT TRIGGER t AFTER DELETE ON follower DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION evil()");
        assertThatThrownBy(() -> {
                    try (JdbcStore store = JdbcStore.open(database.dataSource())) {
                        store.drop("a");
                    }
                })
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("table follower of " + attacker + " refers to table public.seriatim_sequence");
        theAttackerIsNoSuperuser();
        if (version == Version.OF_THE_SYSTEM) { // from PostgreSQL 18 on, a deferred trigger runs as its table's owner
            theAttackIsGood("DELETE FROM seriatim_sequence");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE VIEW seriatim_sequence AS {seen}",
                "CREATE MATERIALIZED VIEW seriatim_sequence AS {seen}",
                "CREATE TABLE seriatim_sequence AS {seen}",
                "CREATE TABLE seriatim_sequence (name varchar(64), next_value bigint) PARTITION BY LIST (name)",
                "CREATE SEQUENCE seriatim_sequence",
                "CREATE TYPE seriatim_sequence AS (name text)"
            })
    void what_another_role_put_in_the_place_of_the_table_is_refused(String create) throws SQLException {
        attackReaders(create.replace("{seen}", SEEN));
        assertThatThrownBy(() -> JdbcStore.open(database.dataSource()))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("public.seriatim_sequence")
                .hasMessageNotContaining("\n");
        theAttackerIsNoSuperuser();
    }

    @Test
    void a_view_that_appears_while_the_store_is_open_is_read_by_no_call() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            attackReaders("CREATE VIEW seriatim_sequence AS " + SEEN, "GRANT ALL ON seriatim_sequence TO PUBLIC");
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> store.reserve("a", 1),
                    () -> store.read("a"),
                    store::list,
                    () -> store.describe("a"),
                    () -> store.create(SequenceDefinition.of("b")),
                    () -> store.raise("a", 7),
                    () -> store.drop("a"),
                    store::install)) {
                assertThatThrownBy(call)
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("seriatim_sequence is not an ordinary table");
            }
        }
        theAttackerIsNoSuperuser();
        theAttackIsGood("SELECT * FROM seriatim_sequence");
    }

    @Test
    void a_view_in_the_place_of_the_pools_is_read_by_no_call() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
            attackReaders(
                    "CREATE VIEW seriatim_sequence_pool AS SELECT 'a'::varchar AS name, 0::bigint AS place, 1::bigint AS value"
                            + " WHERE public.seen()",
                    "GRANT ALL ON seriatim_sequence_pool TO PUBLIC");
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> store.raise("a", 7),
                    () -> store.drop("a"),
                    () -> store.poolState("a"),
                    () -> store.pool("a").layOut(1))) {
                assertThatThrownBy(call)
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("seriatim_sequence_pool is not an ordinary table");
            }
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(1);
        }
        theAttackerIsNoSuperuser();
        theAttackIsGood("SELECT * FROM seriatim_sequence_pool");
    }

    @Test
    void a_trigger_whose_function_belongs_to_another_role_is_refused() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
        }
        database.execute("GRANT ALL ON seriatim_sequence TO " + attacker);
        attack(
                evil("evil()", "trigger", "NEW"),
                "CREATE TRIGGER t BEFORE UPDATE ON seriatim_sequence FOR EACH ROW EXECUTE FUNCTION public.evil()");
        assertThatThrownBy(() -> JdbcStore.open(database.dataSource()))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("trigger t on table seriatim_sequence uses function evil() of " + attacker);
        theAttackerIsNoSuperuser();
        theAttackIsGood("UPDATE seriatim_sequence SET next_value = 1");
    }

    @Test
    void a_role_that_the_user_names_may_own_the_table_and_no_other() throws SQLException {
        try (JdbcStore store = JdbcStore.open(asApp().dataSource())) {
            store.create(SequenceDefinition.of("a"));
        }
        try (JdbcStore store =
                JdbcStore.open(database.dataSource(), SequenceTable.own().ownedBy(app))) {
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(1);
        }
        try (OpenStore store =
                StoreDriver.open(database.option("seriatim.owner", app).url())) {
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(2);
        }
        for (SequenceTable other :
                List.of(SequenceTable.own(), SequenceTable.own().ownedBy(attacker))) {
            assertThatThrownBy(() -> JdbcStore.open(database.dataSource(), other))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("table public.seriatim_sequence belongs to " + app)
                    .hasMessageContaining("seriatim.owner");
        }
    }

    @Test
    void the_members_of_a_role_that_the_user_names_may_own_the_table_and_its_schema() throws SQLException {
        String group = "group_" + database.name();
        database.execute(
                "CREATE ROLE " + group,
                "GRANT " + group + " TO " + app,
                "CREATE SCHEMA s AUTHORIZATION " + group,
                "GRANT USAGE ON SCHEMA s TO " + attacker);
        SequenceTable table = SequenceTable.own().ownedBy(group);
        try (JdbcStore store =
                JdbcStore.open(asApp().option("currentSchema", "s").dataSource(), table)) {
            store.create(SequenceDefinition.of("a"));
        }
        try (JdbcStore store =
                JdbcStore.open(database.option("currentSchema", "s").dataSource(), table)) {
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(1);
        }
        database.execute("ALTER TABLE s.seriatim_sequence OWNER TO " + attacker);
        assertThatThrownBy(() ->
                        JdbcStore.open(database.option("currentSchema", "s").dataSource(), table))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("table s.seriatim_sequence belongs to " + attacker);
    }

    @Test
    void a_table_of_a_superuser_and_one_of_the_owner_of_the_database_are_taken() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
        }
        database.execute("GRANT SELECT, UPDATE ON seriatim_sequence TO " + app);
        try (JdbcStore store = JdbcStore.open(asApp().dataSource())) {
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(1);
        }
        database.execute(
                "ALTER DATABASE " + database.name() + " OWNER TO " + attacker,
                "ALTER TABLE seriatim_sequence OWNER TO " + attacker);
        try (JdbcStore store = JdbcStore.open(asApp().dataSource())) {
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(2);
        }
    }

    @Test
    void operators_functions_and_casts_of_others_are_not_called_when_the_table_is_looked_up() throws SQLException {
        for (String types : List.of("name, name", "oid, oid", "\"char\", \"char\"", "name, varchar", "name, text")) {
            String[] both = types.split(", ", -1);
            for (String symbol : List.of("=", "<>")) {
                attack(
                        evil("same" + (symbol.equals("=") ? "" : "not") + "(" + types + ")", "boolean", "true"),
                        "CREATE OPERATOR public." + symbol + " (LEFTARG = " + both[0] + ", RIGHTARG = " + both[1]
                                + ", FUNCTION = public.same" + (symbol.equals("=") ? "" : "not") + ")");
            }
        }
        attack(
                evil("current_schemas(boolean)", "name[]", "ARRAY['public'::name]"),
                evil("starts_with(text, text)", "boolean", "false"),
                evil("pg_get_userbyid(oid)", "name", "'x'::name"));
        try (JdbcStore store = JdbcStore.open(
                database.option("options", "-c search_path=public,pg_catalog").dataSource())) {
            store.create(SequenceDefinition.of("a"));
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(1);
        }
        theAttackerIsNoSuperuser();
        theAttackIsGood("SET search_path = public, pg_catalog; SELECT 'a'::name = 'a'::name");
    }

    private String refused(String... parts) {
        List<String> messages = new ArrayList<>();
        assertThatThrownBy(this::install).isInstanceOfSatisfying(Misconfigured.class, e -> {
            assertThat(e).hasMessageNotContaining("\n");
            for (String part : parts) {
                assertThat(e).hasMessageContaining(part);
            }
            messages.add(String.valueOf(e.getMessage()));
        });
        return messages.get(0);
    }

    private void install() {
        install(SequenceTable.own());
    }

    private void install(SequenceTable table) {
        install(database, table);
    }

    private static void install(Database where, SequenceTable table) {
        try (JdbcStore store = JdbcStore.open(where.dataSource(), table)) {
            store.install();
        }
    }

    private void letTheAppCallAll() throws SQLException {
        database.execute("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO " + app);
    }

    /** Returns a function that makes its owner a superuser if a superuser calls it. */
    private String evil(String signature, String type, String answer) {
        return evil(signature, type, answer, attacker);
    }

    private static String evil(String signature, String type, String answer, String who) {
        return "CREATE FUNCTION public." + signature + " RETURNS " + type
                + " LANGUAGE plpgsql AS $$ BEGIN BEGIN EXECUTE 'alter role " + who
                + " superuser'; EXCEPTION WHEN OTHERS THEN NULL; END; RETURN " + answer + "; END $$";
    }

    private Database asAttacker() {
        return database.as(attacker, PASSWORD);
    }

    private Database asApp() {
        return database.as(app, PASSWORD);
    }

    private void attack(String... statements) throws SQLException {
        asAttacker().execute(statements);
    }

    private List<String> functions() throws SQLException {
        try (SqlSession sql = SqlSession.on(database)) {
            return sql.texts("SELECT pg_get_functiondef(oid) FROM pg_proc WHERE prosecdef");
        }
    }

    private void theAttackerIsNoSuperuser() throws SQLException {
        isNoSuperuser(attacker);
    }

    private void isNoSuperuser(String role) throws SQLException {
        try (SqlSession sql = SqlSession.on(database)) {
            sql.run("SET search_path = pg_catalog");
            assertThat(sql.texts("SELECT rolname FROM pg_roles WHERE rolsuper")).doesNotContain(role);
        }
    }

    /** Proves that the check detects the fault: the same attack succeeds on a careless superuser. */
    private void theAttackIsGood(String careless) throws SQLException {
        database.execute(careless);
        try (SqlSession sql = SqlSession.on(database)) {
            sql.run("SET search_path = pg_catalog");
            assertThat(sql.texts("SELECT rolname FROM pg_roles WHERE rolsuper")).contains(attacker);
        }
    }
}
