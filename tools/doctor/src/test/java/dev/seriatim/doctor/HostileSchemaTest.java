// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Eve may create objects and log in, no more. Each of her traps leaves a file when her code runs with other rights than hers. A
 * careless statement falls into each; no command does.
 */
@Tag("long")
class HostileSchemaTest {

    /**
     * A trap.
     *
     * @param setup what eve runs. In it, {@code {eve}} is her schema and her role, {@code {me}} the trap's name, {@code {code}()} a
     *     volatile and {@code {fixed}(integer)} an immutable function of hers, both of which leave the file
     * @param careless what falls into it
     */
    private record Trap(String name, List<String> setup, String careless) {

        static Trap of(String name, String careless, String... setup) {
            return new Trap(name, List.of(setup), careless);
        }

        /** A table with a generated column, which a read of its lowest number falls into. */
        static Trap read(String name, String... setup) {
            return new Trap(
                    name,
                    Stream.concat(Stream.of("CREATE TABLE {eve}.{me} (id serial PRIMARY KEY, n int)"), Stream.of(setup))
                            .toList(),
                    "SELECT min(id) FROM {eve}.{me}");
        }
    }

    // Not among them: event triggers, operator classes and base types, which only superusers create; temporary objects,
    // which other sessions do not see; virtual generated columns, which may not call users' functions.
    private static final List<Trap> TRAPS = List.of(
            Trap.read("index_predicate", "CREATE INDEX ON {eve}.{me} (n) WHERE {fixed}(1)"),
            Trap.read("index_expression", "CREATE INDEX ON {eve}.{me} (({fixed}(1)))"),
            Trap.read(
                    "statistics_object", "CREATE STATISTICS {eve}.s_{me} ON (n + {fixed}(1)::int), id FROM {eve}.{me}"),
            Trap.read("exclusion", "ALTER TABLE {eve}.{me} ADD EXCLUDE USING btree (n WITH =) WHERE ({fixed}(1))"),
            Trap.read(
                    "operator_in_index",
                    "CREATE OPERATOR {eve}.<@> (RIGHTARG = int, FUNCTION = {fixed})",
                    "CREATE INDEX ON {eve}.{me} (n) WHERE (OPERATOR({eve}.<@>) 1)"),
            Trap.of(
                    "check_constraint",
                    "SET constraint_exclusion = on; SELECT min(id) FROM {eve}.{me} WHERE id > 3",
                    "CREATE TABLE {eve}.{me} (id serial PRIMARY KEY, CHECK (id > 0 OR {fixed}(1)))"),
            Trap.of(
                    "partition_check",
                    "SELECT min(id) FROM {eve}.{me} WHERE id > 3",
                    "CREATE TABLE {eve}.{me} (id serial PRIMARY KEY) PARTITION BY RANGE (id)",
                    "CREATE TABLE {eve}.{me}_1 PARTITION OF {eve}.{me} (CHECK (id > 0 OR {fixed}(1))) DEFAULT"),
            Trap.of(
                    "partition_index",
                    "SELECT min(id) FROM {eve}.{me}",
                    "CREATE TABLE {eve}.{me} (id serial PRIMARY KEY) PARTITION BY RANGE (id)",
                    "CREATE TABLE {eve}.{me}_1 PARTITION OF {eve}.{me} DEFAULT PARTITION BY RANGE (id)",
                    "CREATE TABLE {eve}.{me}_2 PARTITION OF {eve}.{me}_1 DEFAULT",
                    "CREATE INDEX ON {eve}.{me}_2 (id) WHERE {fixed}(1)"),
            Trap.of(
                    "partition_key",
                    "SELECT min(id) FROM {eve}.{me}",
                    "CREATE TABLE {eve}.{me} (id serial) PARTITION BY RANGE ((id + {fixed}(1)::int))",
                    "CREATE TABLE {eve}.{me}_1 PARTITION OF {eve}.{me} DEFAULT",
                    "CREATE INDEX ON {eve}.{me} (id)"),
            Trap.of(
                    "inheritance_child",
                    "SELECT min(id) FROM {eve}.{me}",
                    "CREATE TABLE {eve}.{me} (id serial PRIMARY KEY)",
                    "CREATE TABLE {eve}.{me}_1 (n int) INHERITS ({eve}.{me})",
                    "CREATE INDEX ON {eve}.{me}_1 (n) WHERE {fixed}(1)"),
            Trap.read(
                    "policy",
                    "ALTER TABLE {eve}.{me} ENABLE ROW LEVEL SECURITY",
                    "INSERT INTO {eve}.{me} VALUES (7)",
                    "CREATE" + " POLICY p ON {eve}.{me} USING ({code}())"),
            Trap.of(
                    "view",
                    "SELECT min(id) FROM {eve}.{me}",
                    "CREATE SEQUENCE {eve}.s_{me}",
                    "CREATE VIEW {eve}.{me} AS SELECT 1::bigint AS id WHERE {code}()",
                    "ALTER VIEW {eve}.{me} ALTER id SET DEFAULT nextval('{eve}.s_{me}')"),
            Trap.of(
                    "rule",
                    "INSERT INTO {eve}.{me} DEFAULT VALUES",
                    "CREATE TABLE {eve}.{me} (id serial PRIMARY KEY)",
                    "CREATE RULE r AS ON INSERT TO {eve}.{me} DO ALSO SELECT {code}()"),
            Trap.of(
                    "trigger",
                    "INSERT INTO {eve}.{me} DEFAULT VALUES",
                    "CREATE TABLE {eve}.{me} (id serial PRIMARY KEY)",
                    "CREATE FUNCTION {eve}.t_{me}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM {code}(); RETURN NEW; END'",
                    "CREATE TRIGGER t BEFORE INSERT ON {eve}.{me} FOR EACH ROW EXECUTE FUNCTION {eve}.t_{me}()"),
            Trap.of(
                    "column_default",
                    "INSERT INTO {eve}.{me} DEFAULT VALUES",
                    "CREATE TABLE {eve}.{me} (id serial PRIMARY KEY, b boolean DEFAULT {code}())"),
            Trap.of(
                    "generated_column",
                    "INSERT INTO {eve}.{me} DEFAULT VALUES",
                    "CREATE TABLE {eve}.{me} (id serial PRIMARY KEY, b boolean GENERATED ALWAYS AS ({fixed}(id)) STORED)"),
            Trap.of(
                    "domain",
                    "SELECT 1::{eve}.d_{me}",
                    "CREATE DOMAIN {eve}.d_{me} AS int CHECK ({fixed}(VALUE))",
                    "CREATE SEQUENCE {eve}.s_{me} AS int",
                    "CREATE TABLE {eve}.{me} (id {eve}.d_{me} PRIMARY KEY DEFAULT nextval('{eve}.s_{me}'))",
                    "INSERT INTO {eve}.{me} VALUES (9)"),
            Trap.of(
                    "aggregate_of_a_domain",
                    "SELECT min(x::{eve}.d_{me}) FROM generate_series(1, 2) x",
                    "CREATE DOMAIN {eve}.d_{me} AS int",
                    "CREATE FUNCTION {eve}.f_{me}({eve}.d_{me}, {eve}.d_{me}) RETURNS {eve}.d_{me} LANGUAGE sql AS 'SELECT CASE WHEN {code}() THEN"
                            + " $1 END'",
                    "CREATE AGGREGATE public.min({eve}.d_{me}) (SFUNC = {eve}.f_{me}, STYPE = {eve}.d_{me})",
                    "CREATE TABLE {eve}.{me} (id {eve}.d_{me} PRIMARY KEY)",
                    "CREATE SEQUENCE {eve}.s_{me} AS int",
                    "ALTER TABLE {eve}.{me} ALTER id SET DEFAULT nextval('{eve}.s_{me}')",
                    "INSERT INTO {eve}.{me} VALUES (9)"),
            Trap.of(
                    "cast",
                    "SELECT ROW(1)::{eve}.c_{me}::text",
                    "CREATE TYPE {eve}.c_{me} AS (x int)",
                    "CREATE FUNCTION {eve}.f_{me}({eve}.c_{me}) RETURNS text LANGUAGE sql AS 'SELECT {code}()::text'",
                    "CREATE CAST ({eve}.c_{me} AS text) WITH FUNCTION {eve}.f_{me}({eve}.c_{me}) AS IMPLICIT",
                    "CREATE TABLE {eve}.{me} (id serial PRIMARY KEY, c {eve}.c_{me})"),
            Trap.of(
                    "foreign_partition",
                    "SELECT min(id) FROM {eve}.{me}",
                    "CREATE DOMAIN {eve}.d_{me} AS int CHECK ({fixed}(VALUE))",
                    "CREATE SEQUENCE {eve}.s_{me} AS int",
                    "CREATE TABLE {eve}.{me} (id {eve}.d_{me} DEFAULT nextval('{eve}.s_{me}')) PARTITION BY LIST (id)",
                    "CREATE INDEX ON {eve}.{me} (id)",
                    "CREATE FOREIGN TABLE {eve}.{me}_1 PARTITION OF {eve}.{me} DEFAULT SERVER files OPTIONS (filename '{folder}/rows')"),
            Trap.of("operators", "SELECT 'a'::varchar = 'a'::name", sameTypes()),
            Trap.of(
                    "functions",
                    "SELECT lower('A'::varchar)",
                    "CREATE FUNCTION public.lower(varchar) RETURNS text LANGUAGE sql AS 'SELECT {code}()::text'",
                    "CREATE FUNCTION public.length(varchar) RETURNS int LANGUAGE sql AS 'SELECT {code}()::int'",
                    "CREATE FUNCTION public.current_setting(varchar) RETURNS text LANGUAGE sql AS 'SELECT {code}()::text'",
                    "CREATE FUNCTION public.to_regclass(varchar) RETURNS regclass LANGUAGE sql AS 'SELECT {code}()::int::regclass'",
                    "CREATE FUNCTION public.set_config(varchar, varchar, boolean) RETURNS text LANGUAGE sql AS 'SELECT {code}()::text'",
                    "CREATE FUNCTION public.format_type(oid, bigint) RETURNS text LANGUAGE sql AS 'SELECT {code}()::text'"),
            Trap.of(
                    "nextval_of_a_text",
                    "INSERT INTO {eve}.{me} DEFAULT VALUES",
                    "CREATE FUNCTION public.nextval(text) RETURNS bigint LANGUAGE sql AS 'SELECT {code}()::int::bigint'",
                    "CREATE SEQUENCE {eve}.s_{me}",
                    "CREATE TABLE {eve}.{me} (id bigint PRIMARY KEY DEFAULT nextval('{eve}.s_{me}'::text))"),
            Trap.of(
                    "late_default",
                    "INSERT INTO {eve}.{me} DEFAULT VALUES",
                    "CREATE FUNCTION {eve}.n_{me}() RETURNS text LANGUAGE sql AS $$ SELECT CASE WHEN {code}() THEN '{eve}.s_{me}' END $$",
                    "CREATE SEQUENCE {eve}.s_{me}",
                    "CREATE TABLE {eve}.{me} (id bigint PRIMARY KEY DEFAULT nextval({eve}.n_{me}()::regclass))"),
            Trap.of(
                    "names",
                    "SELECT {code}()",
                    "CREATE TABLE {eve}.\"x'); SELECT {code}(); --\" (\"i\"\"); SELECT {code}(); --\" serial PRIMARY KEY)",
                    "INSERT INTO {eve}.\"x'); SELECT {code}(); --\" VALUES (70)",
                    "CREATE TABLE {eve}.\"y\n; SELECT {code}();\n--\" (id serial PRIMARY KEY)",
                    "INSERT INTO {eve}.\"y\n; SELECT {code}();\n--\" VALUES (70)",
                    "CREATE TABLE {eve}.\"z$seriatim$; SELECT {code}(); --\" (id serial PRIMARY KEY)",
                    "INSERT INTO {eve}.\"z$seriatim$; SELECT {code}(); --\" VALUES (70)",
                    "COMMENT ON TABLE {eve}.\"x'); SELECT {code}(); --\" IS $$'); SELECT {code}(); --$$"));

    /** Where the library's own table, and its pool, are looked for. */
    private static final List<Trap> IN_THE_PLACE_OF_OUR_TABLE = List.of(
            Trap.of(
                    "schema_of_the_user",
                    "SELECT * FROM \"{superuser}\".seriatim_sequence",
                    "CREATE SCHEMA \"{superuser}\"",
                    "GRANT USAGE ON SCHEMA \"{superuser}\" TO PUBLIC",
                    "CREATE VIEW \"{superuser}\".seriatim_sequence AS SELECT {ours} WHERE {code}()",
                    "GRANT SELECT ON \"{superuser}\".seriatim_sequence TO PUBLIC"),
            Trap.of(
                    "view_in_public",
                    "SELECT * FROM seriatim_sequence",
                    "CREATE VIEW public.seriatim_sequence AS SELECT {ours} WHERE {code}()"),
            Trap.of(
                    "index_of_our_table",
                    "SELECT * FROM seriatim_sequence WHERE name = 'a'",
                    "CREATE TABLE public.seriatim_sequence AS SELECT {ours}",
                    "CREATE INDEX ON public.seriatim_sequence (name) WHERE {fixed}(1)"),
            Trap.of(
                    "trigger_of_our_table",
                    "UPDATE seriatim_sequence SET next_value = 2",
                    "CREATE TABLE public.seriatim_sequence AS SELECT {ours}",
                    "CREATE FUNCTION {eve}.t_{me}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM {code}(); RETURN NEW; END'",
                    "CREATE TRIGGER t BEFORE UPDATE OR INSERT ON public.seriatim_sequence FOR EACH ROW"
                            + " EXECUTE FUNCTION {eve}.t_{me}()"),
            Trap.of(
                    "view_of_the_pool",
                    "SELECT * FROM seriatim_sequence_pool",
                    "CREATE VIEW public.seriatim_sequence_pool AS"
                            + " SELECT 'a'::varchar AS name, 1::bigint AS place, 1::bigint AS value WHERE {code}()"));

    private static final String ROW = "'a'::varchar(255) AS name, 1::bigint AS next_value, 1::bigint AS start_with,"
            + " 1::bigint AS increment_by, 1::bigint AS min_value, 100::bigint AS max_value, 0::smallint AS \"cycle\","
            + " 1::bigint AS \"cache\", 0::smallint AS used_up, 1::bigint AS epoch";

    /** Once each, in this order. */
    private static final List<String> COMMANDS = List.of(
            "install",
            "create a",
            "create b --min-value 1",
            "list",
            "list --format json",
            "show a",
            "next --count 3 a",
            "next --mode SYNC a",
            "alter --cache 7 a",
            "raise --to 50 a",
            "sync --column orders.id a",
            "audit --column orders.id a",
            "restart --with 500 b",
            "doctor",
            "doctor --scan --column a=orders.id",
            "doctor --mend --dry-run",
            "doctor --mend",
            "drop b");

    private final List<Server> servers = new ArrayList<>();
    private Path folder = Path.of("");

    /** Operators on types between which the catalogue has none, so that an unqualified one is hers. */
    private static String[] sameTypes() {
        List<String> setup = new ArrayList<>();
        int n = 0;
        for (String types :
                List.of("varchar, name", "name, varchar", "oid, regclass", "regclass, oid", "varchar, varchar")) {
            String[] both = types.split(", ", -1);
            String function = "{eve}.same_" + n++;
            setup.add("CREATE FUNCTION " + function + "(" + types + ") RETURNS boolean LANGUAGE plpgsql AS"
                    + " 'BEGIN RETURN {code}(); END'");
            for (String operator : List.of("=", "<>", "<", "||")) {
                setup.add("CREATE OPERATOR public." + operator + " (LEFTARG = " + both[0] + ", RIGHTARG = " + both[1]
                        + ", FUNCTION = " + function + ")");
            }
        }
        return setup.toArray(String[]::new);
    }

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("seriatim-traps");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(folder.resolve("rows"), "5\n");
    }

    @AfterEach
    void clear() throws IOException {
        servers.forEach(Server::close);
        for (String mark : marks()) {
            Files.deleteIfExists(folder.resolve(mark));
        }
        Files.deleteIfExists(folder.resolve("rows"));
        Files.deleteIfExists(folder);
    }

    private List<String> marks() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("rows"))
                    .sorted()
                    .toList();
        }
    }

    /** A database of PostgreSQL's with a role that may create objects in it. */
    private record Place(Database database, Database eve, Path folder) {

        static Place on(Database database, Path folder) throws SQLException {
            String name = "eve_" + database.name();
            database.execute(
                    "CREATE ROLE " + name + " LOGIN PASSWORD 'p'",
                    "GRANT CREATE ON DATABASE " + database.name() + " TO " + name,
                    "GRANT CREATE ON SCHEMA public TO " + name);
            Database eve = database.as(name, "p");
            eve.execute("CREATE SCHEMA " + name, "GRANT USAGE ON SCHEMA " + name + " TO PUBLIC");
            return new Place(database, eve, folder);
        }

        String filled(Trap trap, String sql) {
            return sql.replace("{ours}", ROW)
                    .replace("{code}", "{eve}.v_{me}")
                    .replace("{fixed}", "{eve}.i_{me}")
                    .replace("{eve}", eve.user())
                    .replace("{me}", trap.name())
                    .replace("{superuser}", database.user())
                    .replace("{folder}", folder.toString());
        }

        void set(Trap trap) throws SQLException {
            List<String> setup = new ArrayList<>(List.of(
                    "CREATE FUNCTION {code}() RETURNS boolean LANGUAGE plpgsql AS $f$ BEGIN"
                            + " IF current_user OPERATOR(pg_catalog.<>) '{eve}' THEN"
                            + " EXECUTE 'COPY (SELECT 1) TO ''{folder}/{me}'''; END IF; RETURN true; END $f$",
                    "CREATE FUNCTION {fixed}(int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS"
                            + " 'BEGIN RETURN {code}(); END'"));
            setup.addAll(trap.setup());
            eve.execute(setup.stream().map(sql -> filled(trap, sql)).toArray(String[]::new));
        }

        /** Shows that a trap works, for this user. */
        void fallInto(Trap trap, Database as) {
            String failure = "";
            try {
                as.execute(filled(trap, trap.careless()).split("; ", -1));
            } catch (SQLException e) {
                failure = e.getMessage();
            }
            assertThat(folder.resolve(trap.name()))
                    .as("%s: %s %s", trap.name(), trap.careless(), failure)
                    .exists();
        }
    }

    private Place place(String version) throws SQLException {
        if (version.equals("of Maven")) {
            return Place.on(Engine.POSTGRESQL.freshDatabase(), folder);
        }
        Server server = Server.installedPostgresql(Map.of());
        servers.add(server);
        return Place.on(server.freshDatabase(), folder);
    }

    private static CommandLineRun run(Database database, String command) {
        return CommandLineRun.on(database.url(), command.split(" ", -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"of Maven", "of the system"})
    void no_command_of_a_superuser_runs_code_of_a_role_that_may_create_objects(String version) throws Exception {
        Place place = place(version);
        Database superuser = place.database();
        superuser.execute(
                "CREATE EXTENSION file_fdw",
                "CREATE SERVER files FOREIGN DATA WRAPPER file_fdw",
                "GRANT USAGE ON FOREIGN SERVER files TO " + place.eve().user(),
                "GRANT pg_read_server_files TO " + place.eve().user(),
                "CREATE TABLE orders (id bigint PRIMARY KEY)",
                "INSERT INTO orders VALUES (1), (2)");
        assertThat(TRAPS).hasSizeGreaterThanOrEqualTo(20);
        for (Trap trap : TRAPS) {
            place.set(trap);
        }
        for (String command : COMMANDS) {
            CommandLineRun run = run(superuser, command);
            assertThat(run.code()).as(command + run.err()).isIn(ExitCode.DONE, ExitCode.WRONG_NUMBERS);
            assertThat(marks()).as(command).isEmpty();
        }
        String dba = "dba_" + superuser.name();
        superuser.execute(
                "CREATE ROLE " + dba + " LOGIN PASSWORD 'p'",
                "GRANT pg_read_all_data, pg_write_server_files TO " + dba);
        for (String option : List.of("--format=json", "--scan")) {
            assertThat(run(superuser.as(dba, "p"), "doctor " + option).code()).isEqualTo(ExitCode.WRONG_NUMBERS);
            assertThat(marks()).isEmpty();
        }
        assertThat(Examination.of(superuser.url()).skipped())
                .anyMatch(
                        line -> line.contains("run code of role " + place.eve().user()))
                .anyMatch(line -> line.contains("a partition of it is on another server"));
        for (Trap trap : TRAPS) {
            place.fallInto(trap, trap.name().equals("policy") ? superuser.as(dba, "p") : superuser);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"of Maven", "of the system"})
    void no_command_of_a_superuser_runs_code_that_stands_in_the_place_of_our_table(String version) throws Exception {
        Place first = place(version);
        for (Trap trap : IN_THE_PLACE_OF_OUR_TABLE) {
            Place place = trap.equals(IN_THE_PLACE_OF_OUR_TABLE.get(0))
                    ? first
                    : Place.on(
                            servers.isEmpty()
                                    ? Engine.POSTGRESQL.freshDatabase()
                                    : servers.get(0).freshDatabase(),
                            folder);
            place.database().execute("CREATE TABLE orders (id bigint PRIMARY KEY)", "INSERT INTO orders VALUES (1)");
            place.set(trap);
            for (String command : COMMANDS) {
                run(place.database(), command);
                assertThat(marks()).as(trap.name() + ": " + command).isEmpty();
            }
            place.fallInto(trap, place.database());
            Files.delete(folder.resolve(trap.name()));
        }
    }

    /** A database of MariaDB's that an account controls, whose views and functions run with the rights of whoever calls them. */
    private record Controlled(Database root, Path folder) {

        String function(String name) throws SQLException {
            root.execute("CREATE FUNCTION f_" + name + "() RETURNS int SQL SECURITY INVOKER BEGIN DECLARE n int;"
                    + " SELECT 1 INTO OUTFILE '" + folder.resolve(name) + "'; RETURN 1; END");
            return "f_" + name + "()";
        }

        String view(String name) throws SQLException {
            return "SQL SECURITY INVOKER VIEW `" + name + "` AS SELECT ";
        }
    }

    @Test
    void no_command_of_an_administrator_runs_code_of_who_controls_a_database_of_mariadb() throws Exception {
        Server server = Server.mariadb(Map.of("secure-file-priv", ""));
        servers.add(server);
        Database root = server.freshDatabase();
        Controlled controlled = new Controlled(root, folder);
        List<String> careless = new ArrayList<>();
        root.execute(
                "CREATE TABLE orders (id bigint PRIMARY KEY)",
                "INSERT INTO orders VALUES (1), (2)",
                "CREATE SEQUENCE s",
                "CREATE SEQUENCE gone",
                "CREATE TABLE drawn (id bigint PRIMARY KEY DEFAULT nextval(s))",
                "INSERT INTO drawn VALUES ()",
                "CREATE TABLE lost (id bigint PRIMARY KEY DEFAULT nextval(gone))",
                "DROP SEQUENCE gone");
        // Its column shows the default of its table's.
        root.execute(
                "CREATE " + controlled.view("shown") + "id FROM drawn WHERE " + controlled.function("shown") + " = 1");
        // "create guessed.id" looks for the highest number here.
        root.execute("CREATE " + controlled.view("guessed") + "1 AS id FROM dual WHERE "
                + controlled.function("guessed") + " = 1");
        // In the place of a sequence from which a default draws.
        root.execute("CREATE " + controlled.view("gone") + "1 AS start_value, 1 AS increment, 1 AS minimum_value,"
                + " 9 AS maximum_value, 0 AS cycle_option, 1 AS cache_size, 1 AS next_not_cached_value FROM dual WHERE "
                + controlled.function("gone") + " = 1");
        // A query of a table by this name showed the account's rights.
        root.execute("CREATE " + controlled.view("seriatim no such table") + "1 FROM dual WHERE "
                + controlled.function("rights") + " = 1");
        careless.addAll(List.of("shown", "guessed", "gone", "seriatim no such table"));
        for (String command :
                Stream.concat(Stream.of("create guessed.id"), COMMANDS.stream()).toList()) {
            CommandLineRun run = run(root, command);
            assertThat(run.code()).as(command + run.err()).isIn(ExitCode.DONE, ExitCode.WRONG_NUMBERS);
            assertThat(marks()).as(command).isEmpty();
        }
        assertThat(Examination.of(root.url()).skipped())
                .contains(root.name() + ".gone: it is not a sequence, although a default draws from it");
        for (String view : careless) {
            root.number("SELECT count(*) FROM `" + view + "`");
        }
        assertThat(marks()).containsExactly("gone", "guessed", "rights", "shown");

        Database other = server.freshDatabase();
        Controlled place = new Controlled(other, folder);
        other.execute(
                "CREATE TABLE orders (id bigint PRIMARY KEY)",
                "CREATE " + place.view("seriatim_sequence")
                        + "'a' AS name, 1 AS next_value, 1 AS start_with, 1 AS increment_by, 1 AS min_value,"
                        + " 100 AS max_value, 0 AS `cycle`, 1 AS `cache`, 0 AS used_up, 1 AS epoch FROM dual WHERE "
                        + place.function("table") + " = 1");
        for (String command : COMMANDS) {
            run(other, command);
            assertThat(marks()).as(command).doesNotContain("table");
        }
        other.number("SELECT count(*) FROM seriatim_sequence");
        assertThat(marks()).contains("table");
    }
}
