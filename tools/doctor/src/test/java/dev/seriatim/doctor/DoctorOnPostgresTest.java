// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.PlantedSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of every kind, planted beside objects that are right, and what the command says of them. */
class DoctorOnPostgresTest {

    /** Faults of this library's own sequences, by the arguments of {@code create}. */
    private static final Map<String, String> OURS = Map.of(
            "behind ours.id", "ours.id",
            "behind other.Ours.Nö", "other.Ours.Nö",
            "behind ours_down_id", "--increment-by=-1 ours_down_id",
            "cycles ours_ring.id", "--cycle --max-value 100 ours_ring.id",
            "exhausted ours_full", "--max-value 3 ours_full",
            "running-out ours_short", "--max-value 100 --start-with 90 ours_short",
            "beyond-exact-doubles ours_large", "--start-with 9007199254740000 ours_large",
            "defined-twice public.ours_twice.id", "ours_twice.id");

    private static final List<String> OURS_CLEAN = List.of(
            "ours_clean",
            "ours_ahead.id",
            "--start-with 500 ours_far_id",
            "--increment-by 50 ours_steps",
            "--cycle --max-value 9 --cache 1 public.no_such.column");

    private static PlantedSchema plant(Database database) throws SQLException {
        PlantedSchema schema = PlantedSchema.postgresql(
                (int) database.number("SELECT current_setting('server_version_num')::int / 10000"));
        schema.plant(database);
        return schema;
    }

    private static void plantOurs(Database database) throws SQLException {
        database.execute(
                "CREATE TABLE ours (id bigint PRIMARY KEY)",
                "INSERT INTO ours VALUES (-4), (77)",
                "CREATE TABLE other.\"Ours\" (\"Nö\" numeric(9,0) PRIMARY KEY)",
                "INSERT INTO other.\"Ours\" VALUES (5)",
                "CREATE TABLE ours_down (id int UNIQUE)",
                "INSERT INTO ours_down VALUES (-7)",
                "CREATE TABLE ours_ring (id int PRIMARY KEY)",
                "CREATE TABLE ours_twice (id serial PRIMARY KEY)",
                "CREATE TABLE ours_ahead (id bigint PRIMARY KEY)",
                "INSERT INTO ours_ahead VALUES (0)",
                "CREATE TABLE ours_far (id bigint PRIMARY KEY)",
                "INSERT INTO ours_far VALUES (499)");
        Stream.concat(OURS.values().stream(), OURS_CLEAN.stream())
                .forEach(words -> run(database, "create " + words).succeeded());
        run(database, "next --count 3 ours_full").succeeded();
    }

    private static CommandLineRun run(Database database, String words) {
        return CommandLineRun.on(database.url(), words.split(" ", -1));
    }

    private static List<String> planted(PlantedSchema schema) {
        return List.copyOf(schema.faults().keySet());
    }

    private static List<String> with(List<String> some, Iterable<String> others) {
        List<String> all = new ArrayList<>(some);
        others.forEach(all::add);
        return all;
    }

    private static List<String> without(List<String> all, List<String> some) {
        List<String> rest = new ArrayList<>(all);
        rest.removeAll(some);
        return rest;
    }

    @Test
    void each_planted_fault_is_found_and_none_else_and_what_is_printed_mends_it() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        PlantedSchema schema = plant(database);
        plantOurs(database);
        assertThat(schema.faults()).hasSizeGreaterThanOrEqualTo(40);
        assertThat(schema.clean().stream()
                        .filter(one -> one.startsWith("CREATE "))
                        .toList())
                .hasSizeGreaterThanOrEqualTo(40);

        Examination first = Examination.of(database.url());
        assertThat(first.findings()).containsExactlyInAnyOrderElementsOf(with(planted(schema), OURS.keySet()));
        assertThat(first.run().code()).isEqualTo(ExitCode.WRONG_NUMBERS);
        assertThat(first.skipped())
                .containsExactlyInAnyOrder(
                        "4, such as public.clean_hashed.id, public.clean_partly.id, public.clean_second.id: no index begins"
                                + " with the column; reading all of it has to be asked for with --scan",
                        "public.clean_computed.id, public.clean_less.id, public.clean_of_two.id: its default computes with what it draws",
                        "6, such as public.clean_domain_text.code, public.clean_drawn_uuid.id, public.clean_late_text.code:"
                                + " its type holds no numbers",
                        "public.clean_foreign.id: its table is on another server");

        String before = state(database);
        List<String> raising =
                first.remediedBy("raises").stream().map(Examination::shown).toList();
        String script =
                Examination.doctor(database.url(), "--mend", "--dry-run").out();
        assertThat(state(database)).as("changed by a dry run").isEqualTo(before);
        List<String> statements =
                script.lines().filter(line -> !line.startsWith("--")).toList();
        assertThat(statements).hasSize(raising.size()).allMatch(line -> line.startsWith("DO ") && line.endsWith(";"));
        assertThat(script.lines().filter(line -> line.startsWith("--")))
                .hasSize(first.findings().size() - raising.size());

        Examination raised = Examination.of(database.url(), "--mend");
        assertThat(raised.mended()).containsExactlyInAnyOrderElementsOf(raising);
        List<String> rest = without(first.findings(), raising);
        assertThat(raised.findings()).as("after --mend").containsExactlyInAnyOrderElementsOf(rest);
        assertThat(raising).hasSize(18).allMatch(shown -> shown.startsWith("behind "));

        // What only raises may be run again, after draws, and never takes anything back.
        database.execute("SELECT setval('behind_serial_id_seq', 1000)");
        database.execute(statements.toArray(String[]::new));
        assertThat(database.number("SELECT nextval('behind_serial_id_seq')")).isEqualTo(1001);

        for (JsonObject finding : raised.remediedBy("changes")) {
            database.execute(Examination.remedy(finding));
        }
        for (JsonObject finding : raised.remediedBy("command")) {
            String command = Examination.remedy(finding);
            assertThat(command).startsWith("seriatim ").doesNotContain("password");
            run(database, Examination.command(finding).replace("'", "")).succeeded();
        }
        rest = without(
                rest,
                raised.remediedBy("changes").stream().map(Examination::shown).toList());
        rest = without(
                rest,
                raised.remediedBy("command").stream().map(Examination::shown).toList());
        assertThat(Examination.of(database.url()).findings())
                .as("after all that is printed has been run")
                .containsExactlyInAnyOrderElementsOf(rest);
        assertThat(rest)
                .allMatch(
                        shown -> shown.matches(
                                "(exhausted|running-out|beyond-exact-doubles|defined-twice|not-replicated|increment-beside-hibernate) .*"));
    }

    /** Returns how far every sequence has come, and every definition. */
    private static String state(Database database) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT string_agg(s::text, ' ' ORDER BY schemaname, sequencename) FROM pg_sequences s"
                                + " UNION ALL SELECT string_agg(s::text, ' ' ORDER BY name) FROM seriatim_sequence s"
                                + " UNION ALL SELECT string_agg(oid || '/' || relfilenode || '/' || xmin, ' ' ORDER BY oid)"
                                + " FROM pg_class WHERE relnamespace > 16000 OR relnamespace = 2200")) {
            while (row.next()) {
                text.append(row.getString(1)).append('\n');
            }
        }
        return text.toString();
    }

    @Test
    void nothing_is_found_among_clean_objects() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        PlantedSchema.postgresql(14).plantClean(database);
        CommandLineRun run = Examination.doctor(database.url());
        assertThat(run.code()).as(run.out()).isEqualTo(ExitCode.DONE);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("no fault found; not all was examined, see above");
        assertThat(connectionsLeft(database)).isZero();
    }

    /** Returns how many there are beside the one that asks; a server ends each a little after its client has. */
    private static long connectionsLeft(Database database) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        long left;
        do {
            Thread.sleep(10);
            left = database.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()");
        } while (left > 0 && System.nanoTime() < end);
        return left;
    }

    @Test
    void who_may_only_read_finds_the_same_and_cannot_mend() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        plant(database);
        plantOurs(database);
        String reader = "reader_" + database.name();
        database.execute(
                "CREATE ROLE " + reader + " LOGIN PASSWORD 'hush-hush'",
                "CREATE TABLE secret (id serial PRIMARY KEY)",
                "INSERT INTO secret VALUES (5)");
        Database asReader = database.as(reader, "hush-hush");

        Examination blind = Examination.of(asReader.url());
        assertThat(blind.findings())
                .contains("cycles public.cycling_id_seq")
                .noneMatch(shown -> shown.startsWith("behind"));
        assertThat(blind.skipped())
                .anyMatch(line -> line.endsWith(": this user may not read it; grant SELECT, and USAGE on the schema"))
                .anyMatch(line -> line.startsWith("table seriatim_sequence: this user may not read it"));

        assertThat(Examination.doctor(asReader.url(), "--verbose").toString()).doesNotContain("hush-hush");

        database.execute("GRANT pg_read_all_data TO " + reader);
        assertThat(Examination.of(asReader.url()).findings())
                .containsExactlyInAnyOrderElementsOf(
                        Examination.of(database.url()).findings());
        Examination refused = Examination.of(asReader.url(), "--mend");
        assertThat(refused.mended()).isEmpty();
        assertThat(refused.run().err())
                .contains("refuses DO $seriatim$", "must be owner of sequence secret_id_seq", "run it as the owner");
        assertThat(refused.run().err().lines()).allMatch(line -> line.startsWith("seriatim: "));
        database.execute("DROP OWNED BY " + reader, "DROP ROLE " + reader);
    }

    @Test
    void a_table_of_ours_that_another_role_owns_is_not_examined() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE ours (id bigint PRIMARY KEY)", "INSERT INTO ours VALUES (77)");
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("ours.id"));
        }
        String role = "stranger_" + database.name();
        database.execute(
                "CREATE ROLE " + role + " LOGIN PASSWORD 'pass'",
                "GRANT CREATE ON SCHEMA public TO " + role,
                "ALTER TABLE seriatim_sequence OWNER TO " + role);
        Examination refused = Examination.of(database.url());
        assertThat(refused.skipped())
                .anyMatch(line ->
                        line.startsWith("table seriatim_sequence: table public.seriatim_sequence belongs to " + role));
        assertThat(refused.findings()).isEmpty();
        assertThat(Examination.of(database.option("seriatim.owner", role).url()).findings())
                .containsExactly("behind ours.id");
        database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    }

    @Test
    void a_table_that_another_session_locks_is_left_out_in_time() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE held (id serial PRIMARY KEY)",
                "CREATE TABLE behind (id serial PRIMARY KEY)",
                "INSERT INTO behind VALUES (9)");
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE held IN ACCESS EXCLUSIVE MODE");
            Examination found = Examination.of(database.url(), "--timeout", "2s");
            assertThat(found.findings()).containsExactly("behind public.behind.id");
            assertThat(found.skipped())
                    .containsExactly("public.held.id: another session holds a lock on it; look again later");
            assertThat(found.json().get("seconds").getAsDouble()).isLessThan(20);
        }
    }

    @Test
    void a_raise_that_leaves_no_number_or_few_is_not_run() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE narrow (id bigserial PRIMARY KEY)",
                "ALTER TABLE narrow ALTER id TYPE int",
                "INSERT INTO narrow VALUES (2), (2147483647)",
                "CREATE TABLE few (id serial PRIMARY KEY)",
                "INSERT INTO few VALUES (2), (2147483000)",
                "CREATE TABLE usual (id serial PRIMARY KEY)",
                "INSERT INTO usual VALUES (1000)");
        Examination mended = Examination.of(database.url(), "--mend");
        assertThat(mended.mended()).containsExactly("behind public.usual.id");
        assertThat(mended.findings()).containsExactlyInAnyOrder("behind public.narrow.id", "behind public.few.id");
        assertThat(mended.remediedBy("advice").stream().map(Examination::remedy))
                .containsExactly(
                        "the type of public.narrow.id ends at 2147483647, before 2147483648: give it a wider one,"
                                + " or remove that number from public.narrow.id");
        assertThat(mended.run().out()).contains("99 % of the numbers are used up");
        database.execute("INSERT INTO narrow DEFAULT VALUES", "INSERT INTO few DEFAULT VALUES");
        for (JsonObject finding : mended.remediedBy("changes")) {
            database.execute(Examination.remedy(finding));
        }
        assertThat(database.number("SELECT nextval('few_id_seq')")).isEqualTo(2_147_483_001);
    }

    @Test
    void a_name_with_hidden_characters_shows_them_and_its_statement_runs_as_it_is_shown() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE \"a\u202Eb\u2028c\u2066\\d\" (id serial PRIMARY KEY)",
                "INSERT INTO \"a\u202Eb\u2028c\u2066\\d\" VALUES (5)");
        String shown = Examination.doctor(database.url()).out();
        assertThat(shown).contains("a\\u202eb\\u2028c\\u2066\\d.id").doesNotContainPattern("[\u202E\u2028\u2066]");
        String statement = shown.lines()
                .filter(line -> line.contains("mend: "))
                .map(line -> line.substring(line.indexOf("mend: ") + "mend: ".length()))
                .findFirst()
                .orElseThrow();
        database.execute(statement);
        assertThat(Examination.of(database.url()).findings()).isEmpty();
    }

    @Test
    void a_column_that_owns_a_sequence_and_does_not_draw_from_it_is_compared_with_it() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE fed (id serial PRIMARY KEY)",
                "ALTER TABLE fed ALTER id DROP DEFAULT",
                "INSERT INTO fed VALUES (70)",
                "CREATE TABLE labelled (id text PRIMARY KEY)",
                "CREATE SEQUENCE labels OWNED BY labelled.id",
                "INSERT INTO labelled VALUES ('70')");
        assertThat(Examination.of(database.url()).findings()).containsExactly("behind public.fed.id");
        assertThat(Examination.of(database.url(), "--mend").findings()).isEmpty();
        assertThat(database.number("SELECT nextval('fed_id_seq')")).isEqualTo(71);
    }

    @Test
    void beside_inserts_neither_a_sequence_nor_one_of_ours_is_taken_for_behind() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE busy (id bigserial PRIMARY KEY)", "CREATE TABLE ours (id bigint PRIMARY KEY)");
        database.execute("INSERT INTO busy VALUES (1000000000000)"); // another shard's, which no draw meets
        run(database, "create ours.id").succeeded();
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Integer> generated = inserting(database, ended, "INSERT INTO busy DEFAULT VALUES");
        CompletableFuture<Integer> ours = inserting(
                database,
                ended,
                "WITH drawn AS (UPDATE seriatim_sequence SET next_value = next_value + 1 WHERE name = 'ours.id'"
                        + " RETURNING next_value - 1 AS id) INSERT INTO ours SELECT id FROM drawn");
        try {
            for (int i = 0; i < 20; i++) {
                assertThat(Examination.of(database.url()).findings()).isEmpty();
            }
        } finally {
            ended.set(true);
        }
        assertThat(generated.join()).isPositive();
        assertThat(ours.join()).isPositive();
    }

    private static CompletableFuture<Integer> inserting(Database database, AtomicBoolean ended, String sql) {
        return CompletableFuture.supplyAsync(() -> {
            int rows = 0;
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                while (!ended.get()) {
                    rows += statement.executeUpdate(sql);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return rows;
        });
    }

    @Test
    void a_table_that_is_dropped_meanwhile_is_left_out() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE going (id serial PRIMARY KEY)", "CREATE TABLE staying (id serial PRIMARY KEY)");
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE going IN ACCESS EXCLUSIVE MODE");
            CompletableFuture<Examination> examining =
                    CompletableFuture.supplyAsync(() -> Examination.of(database.url(), "--timeout", "60s"));
            while (database.number("SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database"
                            + " WHERE NOT granted AND d.datname = current_database()")
                    == 0) {
                Thread.sleep(5);
            }
            statement.execute("DROP TABLE going");
            other.commit();
            Examination found = examining.get();
            assertThat(found.findings()).isEmpty();
            assertThat(found.skipped()).singleElement().asString().startsWith("public.going.id");
        }
    }

    /** Each read of a table waits for a lock on a partition, with what it has locked so far. */
    @Test
    @Tag("long")
    void no_transaction_holds_more_than_some_hundred_locks() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        for (String table : List.of("a", "b", "c", "d", "e", "large")) {
            database.execute(
                    "CREATE TABLE " + table + " (id bigserial, day int, PRIMARY KEY (id, day)) PARTITION BY LIST (day)",
                    "DO $$ BEGIN FOR i IN 1 .. " + (table.equals("large") ? 200 : 50)
                            + " LOOP EXECUTE format('CREATE TABLE " + table + "_%1$s PARTITION OF " + table
                            + " FOR VALUES IN (%1$s)', i); END LOOP; END $$",
                    "INSERT INTO " + table + " VALUES (9, 1), (8, 2)");
        }
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE b_50, large_200 IN ACCESS EXCLUSIVE MODE");
            CompletableFuture<Examination> examining =
                    CompletableFuture.supplyAsync(() -> Examination.of(database.url(), "--timeout", "1s"));
            long most = 0;
            while (!examining.isDone()) {
                most = Math.max(
                        most,
                        database.number("SELECT coalesce(max(held), 0) FROM (SELECT count(*) AS held FROM pg_locks"
                                + " WHERE pid IN (SELECT pid FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database"
                                + " WHERE datname = current_database())) GROUP BY pid) s"));
            }
            assertThat(most).isBetween(150L, 310L);
            assertThat(examining.get().skipped())
                    .containsExactly(
                            "public.b.id, public.large_200.id: another session holds a lock on it; look again later");
            assertThat(examining.get().findings()).hasSize(5).contains("behind public.a.id", "behind public.large.id");
        }
    }

    /** Returns the findings with statements that change something, after these have been run. */
    private static List<String> changed(Database database) throws SQLException {
        List<String> changed = new ArrayList<>();
        for (JsonObject finding : Examination.of(database.url()).remediedBy("changes")) {
            database.execute(Examination.remedy(finding));
            changed.add(Examination.shown(finding));
        }
        return changed;
    }

    @Test
    void the_children_of_a_column_are_widened_with_it() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE tight (id serial PRIMARY KEY, above int REFERENCES tight)",
                "CREATE TABLE child (id int PRIMARY KEY REFERENCES tight, at int)",
                "CREATE TABLE \"Grand's\" (id int REFERENCES child, day int) PARTITION BY LIST (day)",
                "CREATE TABLE part PARTITION OF \"Grand's\" DEFAULT",
                "INSERT INTO tight VALUES (2147483646)",
                "SELECT setval('tight_id_seq', 2147483646)");
        assertThat(changed(database)).containsExactly("running-out public.tight_id_seq");
        database.execute(
                "INSERT INTO tight SELECT nextval('tight_id_seq'), 2147483646 FROM generate_series(1, 5)",
                "UPDATE tight SET above = 2147483650",
                "INSERT INTO child VALUES (2147483650)");
        assertThat(Examination.of(database.url()).findings()).isEmpty();
    }

    @Test
    void a_widened_column_keeps_the_fractions_of_its_rows() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE halves (no numeric(4,2) PRIMARY KEY)",
                "CREATE SEQUENCE halves_no OWNED BY halves.no",
                "ALTER TABLE halves ALTER no SET DEFAULT nextval('halves_no')",
                "SELECT setval('halves_no', 96)",
                "INSERT INTO halves VALUES (95.5)");
        assertThat(changed(database)).containsExactly("type-running-out public.halves.no");
        assertThat(database.number("SELECT count(*) FROM halves WHERE no = 95.5"))
                .isOne();
    }

    @Test
    void a_child_whose_type_ends_before_its_parents_is_found() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE parent (id bigserial PRIMARY KEY)",
                "CREATE TABLE child (id bigserial PRIMARY KEY, parent_id int REFERENCES parent)",
                "CREATE TABLE small (parent_id smallint REFERENCES parent)",
                "INSERT INTO parent VALUES (2147483640)",
                "SELECT setval('parent_id_seq', 2147483640)");
        assertThat(changed(database))
                .containsExactlyInAnyOrder(
                        "type-running-out public.child.parent_id", "exhausted public.small.parent_id");
        database.execute(
                "INSERT INTO parent VALUES (3000000000)",
                "INSERT INTO child VALUES (1, 3000000000)",
                "INSERT INTO small VALUES (3000000000)");
    }

    @Test
    void a_sequence_that_stayed_narrow_when_its_column_was_widened_is_widened() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE a (id serial PRIMARY KEY)",
                "ALTER TABLE a ALTER id TYPE bigint",
                "SELECT setval('a_id_seq', 2147483647)",
                "CREATE TABLE b (id bigint GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME of_b MAXVALUE 2147483647) PRIMARY KEY)",
                "SELECT setval('of_b', 2147483647)",
                "CREATE SEQUENCE c AS smallint INCREMENT -1",
                "SELECT setval('c', -32768)",
                "CREATE SEQUENCE meant MAXVALUE 1000",
                "SELECT setval('meant', 990)");
        assertThat(changed(database))
                .containsExactlyInAnyOrder("exhausted public.a_id_seq", "exhausted public.b.id", "exhausted public.c");
        database.execute("INSERT INTO a DEFAULT VALUES", "INSERT INTO b DEFAULT VALUES");
        assertThat(database.number("SELECT nextval('c')")).isEqualTo(-32769);
        assertThat(Examination.of(database.url()).findings()).containsExactly("running-out public.meant");
    }

    @Test
    void a_default_that_names_a_missing_sequence_is_an_error() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE a (id bigint PRIMARY KEY DEFAULT nextval('public.gone'::text))",
                "CREATE TABLE b (code text DEFAULT 'B' || nextval('\"It''s\"'::text))",
                "CREATE SCHEMA apart",
                "CREATE SEQUENCE apart.off_the_path",
                "CREATE TABLE c (id bigint PRIMARY KEY DEFAULT nextval('off_the_path'::text))",
                "INSERT INTO c VALUES (4)");
        assertThat(Examination.of(database.url()).findings())
                .containsExactlyInAnyOrder(
                        "missing-sequence public.a.id",
                        "missing-sequence public.b.code",
                        "behind public.c.id",
                        "unowned public.c.id");
    }

    @Test
    void a_column_that_draws_from_the_sequence_of_another_table_is_compared_and_noted() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE a (id bigserial PRIMARY KEY)",
                "CREATE TABLE b (id bigint PRIMARY KEY DEFAULT nextval('a_id_seq'))",
                "INSERT INTO b SELECT * FROM generate_series(1, 500)");
        Examination found = Examination.of(database.url(), "--mend");
        assertThat(found.mended()).containsExactly("behind public.b.id");
        assertThat(found.findings()).isEmpty();
        assertThat(found.notes()).contains("note public.a_id_seq");
        assertThat(database.number("SELECT nextval('a_id_seq')")).isEqualTo(501);
    }

    @Test
    void a_column_that_a_trigger_fills_is_compared_with_its_sequence() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE SCHEMA shop",
                "CREATE SEQUENCE shop.numbers",
                "CREATE TABLE shop.a (no bigint PRIMARY KEY, v int)",
                "CREATE FUNCTION shop.fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.no IS NULL THEN"
                        + " NEW.no := nextval('shop.Numbers'); END IF; RETURN NEW; END $$",
                "CREATE TRIGGER fill BEFORE INSERT ON shop.a FOR EACH ROW EXECUTE FUNCTION shop.fill()",
                "INSERT INTO shop.a SELECT * FROM generate_series(1, 100)",
                "CREATE SEQUENCE shop.other",
                "CREATE TABLE shop.b (no bigint PRIMARY KEY)",
                "CREATE FUNCTION shop.fill_b() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " NEW.no := COALESCE(NEW.no, nextval('shop.other')); RETURN NEW; END $$",
                "CREATE TRIGGER fill BEFORE INSERT ON shop.b FOR EACH ROW EXECUTE FUNCTION shop.fill_b()",
                "INSERT INTO shop.b VALUES (1)");
        Examination found = Examination.of(database.url(), "--mend");
        assertThat(found.mended()).containsExactly("behind shop.a.no", "behind shop.b.no");
        assertThat(found.findings()).isEmpty();
        database.execute("INSERT INTO shop.a (v) VALUES (1)");
    }

    /** With an increment of 50, the number 101 stands for those from 52 to 101, or from 101 to 150. */
    @Test
    void a_sequence_that_hibernate_draws_from_is_compared_with_its_key() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE bill (id bigint PRIMARY KEY)",
                "CREATE SEQUENCE bill_seq",
                "INSERT INTO bill VALUES (500)",
                "CREATE TABLE customer (id int PRIMARY KEY)",
                "CREATE SEQUENCE customer_seq INCREMENT 50",
                "INSERT INTO customer VALUES (5000)",
                "CREATE TABLE usual (id bigint PRIMARY KEY)",
                "CREATE SEQUENCE usual_seq INCREMENT 50",
                "SELECT setval('usual_seq', 101)",
                "INSERT INTO usual VALUES (150)",
                "CREATE TABLE pair (id bigint, other int, PRIMARY KEY (id, other))",
                "CREATE SEQUENCE pair_seq",
                "INSERT INTO pair VALUES (5000, 1)");
        Examination found = Examination.of(database.url(), "--mend");
        assertThat(found.mended()).containsExactlyInAnyOrder("behind public.bill.id", "behind public.customer.id");
        assertThat(found.findings())
                .containsExactlyInAnyOrder(
                        "increment-beside-hibernate public.customer_seq",
                        "increment-beside-hibernate public.usual_seq");
        assertThat(database.number("SELECT nextval('bill_seq')")).isEqualTo(501);
        assertThat(database.number("SELECT nextval('customer_seq') - 49")).isBetween(5001L, 5100L);
    }

    @Test
    void a_native_sequence_is_compared_with_the_column_that_is_named_for_it() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE a (number bigint PRIMARY KEY, other int UNIQUE)",
                "CREATE SEQUENCE of_a",
                "CREATE SEQUENCE full_one MAXVALUE 3",
                "SELECT setval('full_one', 3)",
                "INSERT INTO a VALUES (70)");
        Examination found = Examination.of(
                database.url(), "--mend", "--column", "public.of_a=a.number", "--column", "public.full_one=a.other");
        assertThat(found.mended()).containsExactly("behind public.a.number");
        assertThat(found.findings()).containsExactly("exhausted public.full_one");
        assertThat(database.number("SELECT nextval('of_a')")).isEqualTo(71);
        run(database, "doctor --column public.none=a.number").failedWith("public.none", "has no such sequence");
        run(database, "doctor --column public.of_a=a.none").failedWith("has no column a.none of");
    }
}
