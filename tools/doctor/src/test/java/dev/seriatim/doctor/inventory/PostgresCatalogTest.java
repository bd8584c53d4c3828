// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.rule.CounterCommands;
import dev.seriatim.doctor.rule.Diagnosis;
import dev.seriatim.jdbc.DatabaseAccess;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.PlantedSchema;
import dev.seriatim.servers.Server;
import dev.seriatim.store.ColumnName;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads a PostgreSQL database for what is wrong with its numbers. */
class PostgresCatalogTest {

    private static final InspectionLimits LIMITS =
            new InspectionLimits(Duration.ofSeconds(10), Duration.ofMinutes(1), false);

    Database freshDatabase() {
        return Engine.POSTGRESQL.freshDatabase();
    }

    private static Inventory read(Database database) {
        return read(database, LIMITS);
    }

    private static Inventory read(Database database, InspectionLimits limits) {
        return new DatabaseExamination(DatabaseAccess.of(database.url()), limits, Map.of()).read();
    }

    private static Diagnosis diagnosis(Inventory examined) {
        CounterCommands commands = new CounterCommands("URL");
        return Diagnosis.of(
                examined, commands, Diagnosis.Forecast.NONE, any -> true, Map.of(), Instant.EPOCH, Duration.ZERO);
    }

    private static List<String> faults(Inventory examined) {
        return diagnosis(examined).findings().stream()
                .map(finding -> finding.fault() + " " + finding.subject())
                .toList();
    }

    private static PlantedSchema schema(Database database) throws SQLException {
        return PlantedSchema.postgresql(
                (int) database.number("SELECT current_setting('server_version_num')::int / 10000"));
    }

    @Test
    void each_planted_fault_is_found_and_none_else() throws Exception {
        Database database = freshDatabase();
        PlantedSchema schema = schema(database);
        schema.plant(database);
        Inventory examined = read(database);
        assertThat(schema.faults()).hasSizeGreaterThanOrEqualTo(40);
        assertThat(schema.clean()).hasSizeGreaterThanOrEqualTo(40);
        assertThat(faults(examined))
                .containsExactlyInAnyOrderElementsOf(schema.faults().keySet());
        assertThat(examined.skipped())
                .containsExactlyInAnyOrder(
                        "4, such as public.clean_hashed.id, public.clean_partly.id, public.clean_second.id: no index begins with the column; reading all of it has to be asked for",
                        "public.clean_computed.id, public.clean_less.id, public.clean_of_two.id:"
                                + " its default computes with what it draws",
                        "6, such as public.clean_domain_text.code, public.clean_drawn_uuid.id, public.clean_late_text.code:"
                                + " its type holds no numbers",
                        "public.clean_foreign.id: its table is on another server");
    }

    @Test
    @Tag("long") // DoctorOnPostgresTest is the quick one
    void nothing_is_found_among_clean_objects() throws Exception {
        Database database = freshDatabase();
        schema(database).plantClean(database);
        assertThat(faults(read(database))).isEmpty();
    }

    @Test
    void nothing_is_changed_and_neither_a_setting_nor_a_prepared_statement_outlives_a_transaction() throws Exception {
        Database database = freshDatabase();
        schema(database).plant(database);
        String before = dump(database);
        read(database, new InspectionLimits(Duration.ofSeconds(10), Duration.ofMinutes(1), true));
        assertThat(dump(database)).isEqualTo(before);
        DatabaseAccess.of(database.url()).run(true, Duration.ofSeconds(10), session -> {
            Connection connection = session.connection();
            PostgresCatalog catalog = new PostgresCatalog(connection, LIMITS);
            catalog.begin();
            catalog.sources();
            connection.rollback();
            connection.setReadOnly(false);
            connection.setAutoCommit(true);
            for (String setting :
                    List.of("statement_timeout", "lock_timeout", "transaction_read_only", "search_path")) {
                String source = "SELECT source FROM pg_settings WHERE name = ?";
                assertThat(catalog.query(source, row -> row.getString(1), setting))
                        .as(setting)
                        .singleElement()
                        .isIn("default", "override");
            }
            String prepared = "SELECT statement FROM pg_prepared_statements";
            assertThat(catalog.query(prepared, row -> row.getString(1)))
                    .as("named statements, which a pooler would mix up")
                    .isEmpty();
            return connection;
        });
    }

    /** Returns the state of every sequence, and the objects. */
    private static String dump(Database database) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT string_agg(s::text, ' ' ORDER BY schemaname, sequencename) FROM pg_sequences s"
                                + " UNION ALL SELECT string_agg(oid || '/' || relfilenode || '/' || reltuples, ' ' ORDER BY oid)"
                                + " FROM pg_class WHERE relnamespace > 16000")) {
            while (row.next()) {
                text.append(row.getString(1));
            }
        }
        return text.toString();
    }

    @Test
    @Tag("long") // DoctorOnPostgresTest is the quick one
    void the_printed_lines_mend_what_they_say() throws Exception {
        Database database = freshDatabase();
        schema(database).plant(database);
        Inventory before = read(database);
        Remedies remedies = before.remedies().orElseThrow();
        List<String> lines = new ArrayList<>();
        for (NumberSource sequence : sequences(before)) {
            List<NumberedColumn> columns = sequence.columns();
            boolean up = sequence.increment().signum() > 0;
            for (NumberedColumn column : columns) {
                column.held().ifPresent(held -> {
                    Remedy remedy = remedies.raise(sequence, held.end(up));
                    assertThat(remedy.kind()).isEqualTo(Remedy.Kind.RAISES);
                    lines.add(remedy.text());
                });
            }
            lines.add(remedies.redefine(sequence, Fault.CYCLES).text());
            lines.add(remedies.redefine(sequence, Fault.CACHE_REORDERS).text());
            if (sequence.owner().isEmpty() && columns.size() == 1) {
                lines.add(remedies.own(sequence, columns.get(0)).orElseThrow().text());
            }
        }
        for (NumberSource source : before.sources()) {
            for (NumberedColumn column : source.columns()) {
                Remedy wider = remedies.widen(source, column);
                boolean full = column.path().contains("tight") || column.path().contains("narrow");
                if (full) {
                    assertThat(wider.kind()).isEqualTo(Remedy.Kind.CHANGES);
                    lines.add(wider.text());
                }
            }
        }
        before.findings().stream()
                .flatMap(finding -> finding.remedy().stream())
                .filter(remedy -> remedy.kind() == Remedy.Kind.CHANGES)
                .forEach(remedy -> lines.add(remedy.text()));
        assertThat(lines).allSatisfy(line -> assertThat(line).doesNotContain("\n"));
        database.execute(lines.toArray(String[]::new));
        assertThat(faults(read(database)))
                .allMatch(
                        fault -> fault.matches(
                                "(exhausted|running-out|beyond-exact-doubles|defined-twice|not-replicated|increment-beside-hibernate) .*"))
                .doesNotContain("exhausted public.narrow.id");
    }

    @Test
    void what_is_raised_twice_stands_where_it_stood_and_a_full_range_is_not_raised() throws Exception {
        Database database = freshDatabase();
        database.execute(
                "CREATE SEQUENCE a MAXVALUE 100",
                "CREATE SEQUENCE down INCREMENT BY -5 MINVALUE -100",
                "SELECT setval('a', 60)");
        Inventory examined = read(database);
        Remedies remedies = examined.remedies().orElseThrow();
        NumberSource a = sequence(examined, "a");
        NumberSource down = sequence(examined, "down");
        database.execute(
                remedies.raise(a, BigInteger.valueOf(70)).text(),
                remedies.raise(a, BigInteger.valueOf(65)).text());
        assertThat(database.number("SELECT nextval('a')")).isEqualTo(71);
        database.execute(remedies.raise(down, BigInteger.valueOf(-7)).text());
        assertThat(database.number("SELECT nextval('down')"))
                .as("its own steps")
                .isEqualTo(-11);
        database.execute(
                "CREATE TABLE full_up (id bigint PRIMARY KEY DEFAULT nextval('a'))",
                "CREATE TABLE full_down (id bigint PRIMARY KEY DEFAULT nextval('down'))",
                "INSERT INTO full_up VALUES (100)",
                "INSERT INTO full_down VALUES (-96)");
        assertThat(diagnosis(read(database)).findings())
                .filteredOn(finding -> finding.fault() == Fault.BEHIND)
                .hasSize(2)
                .allMatch(finding -> finding.remedy().orElseThrow().kind() == Remedy.Kind.ADVICE);
    }

    @Test
    void a_sequence_is_raised_at_both_ends_of_64_bits() throws Exception {
        Database database = freshDatabase();
        database.execute(
                "CREATE SEQUENCE low MINVALUE -9223372036854775808 START -9223372036854775808",
                "CREATE SEQUENCE high INCREMENT -1 MAXVALUE 9223372036854775807 START 9223372036854775807");
        Inventory examined = read(database);
        Remedies remedies = examined.remedies().orElseThrow();
        NumberSource low = sequence(examined, "low");
        NumberSource high = sequence(examined, "high");
        BigInteger least = BigInteger.valueOf(Long.MIN_VALUE);
        BigInteger most = BigInteger.valueOf(Long.MAX_VALUE);
        database.execute(
                remedies.raise(low, least).text(), remedies.raise(high, most).text());
        assertThat(database.number("SELECT nextval('low')")).isEqualTo(Long.MIN_VALUE + 1);
        assertThat(database.number("SELECT nextval('high')")).isEqualTo(Long.MAX_VALUE - 1);
        database.execute(remedies.raise(low, most.subtract(BigInteger.ONE)).text());
        database.execute(remedies.raise(high, least.add(BigInteger.ONE)).text());
        assertThat(database.number("SELECT nextval('low')")).isEqualTo(Long.MAX_VALUE);
        assertThat(database.number("SELECT nextval('high')")).isEqualTo(Long.MIN_VALUE);
    }

    /** Raises between draws in other sessions, some with a cache, to what they have nearly reached. */
    @Test
    void no_value_repeats_if_a_sequence_is_raised_while_others_draw() throws Exception {
        Database database = freshDatabase();
        database.execute("CREATE SEQUENCE busy CACHE 3");
        NumberSource busy = sequence(read(database), "busy");
        Remedies remedies = read(database).remedies().orElseThrow();
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Long>>> drawing = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                drawing.add(threads.submit(() -> drawn(database, ended)));
            }
            int raised = 0;
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                while (raised < 60) {
                    long last;
                    try (ResultSet row = statement.executeQuery("SELECT last_value FROM busy")) {
                        row.next();
                        last = row.getLong(1);
                    }
                    statement.execute(remedies.raise(busy, BigInteger.valueOf(last + raised % 7 - 1))
                            .text());
                    raised++;
                }
            } finally {
                ended.set(true);
            }
            List<Long> all = new ArrayList<>();
            for (Future<List<Long>> one : drawing) {
                all.addAll(one.get());
            }
            assertThat(all).hasSizeGreaterThan(raised);
            assertThat(new HashSet<>(all)).hasSize(all.size());
        } finally {
            threads.shutdownNow();
        }
    }

    /** The careless way repeats values in the same test, so that the test would find it. */
    @Test
    void the_careless_way_to_raise_a_sequence_repeats_values() throws Exception {
        Database database = freshDatabase();
        database.execute("CREATE SEQUENCE busy");
        try (Connection raising = database.connect();
                Statement statement = raising.createStatement()) {
            long held = 1 + number(statement, "SELECT last_value FROM busy");
            Set<Long> drawn = new HashSet<>(drawn(database, 5));
            statement.execute("SELECT setval('busy', " + held + ")");
            assertThat(drawn).contains(database.number("SELECT nextval('busy')"));
        }
    }

    private static List<Long> drawn(Database database, AtomicBoolean ended) throws SQLException {
        List<Long> values = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            while (!ended.get()) {
                values.add(number(statement, "SELECT nextval('busy')"));
            }
        }
        return values;
    }

    private static List<Long> drawn(Database database, int count) throws SQLException {
        List<Long> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(database.number("SELECT nextval('busy')"));
        }
        return values;
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void a_table_that_another_session_locks_is_skipped_and_the_rest_is_read() throws Exception {
        Database database = freshDatabase();
        database.execute(
                "CREATE TABLE locked (id serial PRIMARY KEY)",
                "CREATE TABLE behind (id serial PRIMARY KEY)",
                "INSERT INTO behind VALUES (9)",
                "CREATE SEQUENCE of_text",
                "CREATE TABLE late (id bigint PRIMARY KEY DEFAULT nextval('of_text'::text))");
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE locked, late IN ACCESS EXCLUSIVE MODE");
            Inventory examined =
                    read(database, new InspectionLimits(Duration.ofMillis(300), Duration.ofMinutes(1), false));
            assertThat(faults(examined)).contains("behind public.behind.id");
            assertThat(examined.skipped())
                    .contains("public.late.id, public.locked.id: another session holds a lock on it; look again later");
        }
    }

    @Test
    void who_may_only_connect_is_told_what_was_not_read() throws Exception {
        Database database = freshDatabase();
        schema(database).plant(database);
        String reader = "reader_" + database.name();
        database.execute("CREATE ROLE " + reader + " LOGIN PASSWORD 'pass'");
        Inventory blind = read(database.as(reader, "pass"));
        assertThat(blind.skipped())
                .anyMatch(line -> line.matches("\\d+, such as sequence .*: this user may not read it; grant SELECT"))
                .anyMatch(line -> line.matches(
                        "\\d+, such as .*: this user may not read it; grant SELECT, and USAGE on the schema"));
        assertThat(faults(blind))
                .doesNotContain("behind public.behind_serial.id")
                .contains("cycles public.cycling_id_seq");
        for (String schema : List.of("public", "other", "\"Odd \"\"'$$;\"")) {
            database.execute(
                    "GRANT USAGE ON SCHEMA " + schema + " TO " + reader,
                    "GRANT SELECT ON ALL TABLES IN SCHEMA " + schema + " TO " + reader,
                    "GRANT SELECT ON ALL SEQUENCES IN SCHEMA " + schema + " TO " + reader);
        }
        assertThat(faults(read(database.as(reader, "pass"))))
                .containsExactlyInAnyOrderElementsOf(faults(read(database)));
    }

    @Test
    void who_may_draw_and_not_look_sees_how_far_a_sequence_has_come() throws Exception {
        Database database = freshDatabase();
        String drawer = "drawer_" + database.name();
        database.execute(
                "CREATE ROLE " + drawer + " LOGIN PASSWORD 'pass'",
                "CREATE SEQUENCE a",
                "CREATE SEQUENCE fresh",
                "SELECT setval('a', 41)",
                "GRANT USAGE ON SEQUENCE a, fresh TO " + drawer);
        Inventory examined = read(database.as(drawer, "pass"));
        assertThat(sequence(examined, "a").next()).hasValue(BigInteger.valueOf(42));
        assertThat(sequence(examined, "fresh").next()).isEmpty();
        assertThat(examined.skipped()).anyMatch(line -> line.startsWith("sequence public.fresh: "));
    }

    @Test
    void rows_that_a_policy_hides_are_not_taken_for_none() throws Exception {
        Database database = freshDatabase();
        String tenant = "tenant_" + database.name();
        database.execute(
                "CREATE ROLE " + tenant + " LOGIN PASSWORD 'pass'",
                "CREATE TABLE a (id serial PRIMARY KEY)",
                "INSERT INTO a VALUES (5)",
                "ALTER TABLE a ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY few ON a USING (id < 2)",
                "GRANT SELECT ON a, a_id_seq TO " + tenant);
        assertThat(read(database.as(tenant, "pass")).skipped())
                .contains("public.a.id: row-level security hides rows from this user; look as the owner of the table");
        assertThat(faults(read(database))).contains("behind public.a.id");
    }

    @Test
    void columns_without_an_index_are_read_if_that_is_asked_for() throws Exception {
        Database database = freshDatabase();
        database.execute("CREATE TABLE a (id serial)", "INSERT INTO a VALUES (5)");
        assertThat(faults(read(database))).isEmpty();
        assertThat(faults(read(database, new InspectionLimits(Duration.ofSeconds(9), Duration.ofMinutes(1), true))))
                .containsExactly("behind public.a.id");
    }

    @Test
    void what_is_left_when_the_time_is_over_is_skipped() throws Exception {
        Database database = freshDatabase();
        database.execute("CREATE TABLE a (id serial PRIMARY KEY)");
        assertThat(read(database, new InspectionLimits(Duration.ofSeconds(9), Duration.ZERO, false))
                        .skipped())
                .contains("public.a.id, sequence public.a_id_seq: the inspection's time was over");
    }

    /** On a server of its own: a role's setting is a finding in every database. */
    @Test
    void a_role_and_a_database_that_commit_asynchronously_are_a_finding_each() throws Exception {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = server.freshDatabase();
            String name = database.name();
            String role = "Hasty \"" + name;
            String quoted = "\"" + role.replace("\"", "\"\"") + "\"";
            database.execute(
                    "CREATE ROLE " + quoted,
                    "ALTER ROLE " + quoted + " SET synchronous_commit = off",
                    "ALTER ROLE " + quoted + " IN DATABASE " + name + " SET synchronous_commit = 'no'",
                    "ALTER DATABASE " + name + " SET synchronous_commit = false");
            List<InspectionFinding> found = read(database).findings();
            assertThat(found.stream().map(InspectionFinding::subject))
                    .contains("role " + role, "role " + role + " in database " + name, "database " + name);
            database.execute(found.stream()
                    .filter(finding -> finding.subject().contains(name))
                    .map(finding -> finding.remedy().orElseThrow().text())
                    .toArray(String[]::new));
            assertThat(read(database).findings())
                    .noneMatch(finding -> finding.subject().contains(name));
        }
    }

    @Test
    void a_url_that_commits_asynchronously_is_a_finding() throws Exception {
        Database database = freshDatabase();
        Inventory examined = read(database.option("options", "-c synchronous_commit=off"));
        assertThat(faults(examined)).containsExactly("loses-commits the URL's synchronous_commit");
    }

    @Test
    void our_own_sequences_are_read_with_the_columns_that_their_names_say() throws Exception {
        Database database = freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            for (String name : List.of(
                    "orders.id",
                    "other.parcel.number",
                    "line_item_id",
                    "line_item_id_seq",
                    "a_b_c",
                    "named",
                    "alone")) {
                store.create(SequenceDefinition.of(name));
            }
        }
        database.execute(
                "CREATE SCHEMA other",
                "CREATE TABLE orders (id bigint PRIMARY KEY, note text)",
                "INSERT INTO orders VALUES (-4), (77)",
                "CREATE TABLE other.parcel (number numeric(10,0) UNIQUE)",
                "CREATE TABLE line_item (id int PRIMARY KEY)",
                "CREATE TABLE a (b_c int PRIMARY KEY)",
                "CREATE TABLE a_b (c int PRIMARY KEY)",
                "ALTER TABLE seriatim_sequence SET UNLOGGED");
        Map<String, ColumnName> named = Map.of("named", ColumnName.of("public", "orders", "id"));
        Inventory examined = new DatabaseExamination(DatabaseAccess.of(database.url()), LIMITS, named).read();
        List<NumberSource> counters = examined.sources().stream()
                .filter(source -> source.kind() == NumberSource.Kind.COUNTER)
                .toList();
        assertThat(counters.stream()
                        .map(counter -> counter.subject() + " "
                                + counter.columns().stream()
                                        .map(NumberedColumn::path)
                                        .findFirst()
                                        .orElse("-")))
                .containsExactlyInAnyOrder(
                        "orders.id public.orders.id",
                        "other.parcel.number other.parcel.number",
                        "line_item_id public.line_item.id",
                        "line_item_id_seq public.line_item.id",
                        "a_b_c -",
                        "named public.orders.id",
                        "alone -");
        NumberSource orders = counters.stream()
                .filter(counter -> counter.subject().toString().equals("orders.id"))
                .findFirst()
                .orElseThrow();
        assertThat(orders.columns().get(0).held())
                .hasValue(new ValueRange(BigInteger.valueOf(-4), BigInteger.valueOf(77)));
        assertThat(examined.skipped()).anyMatch(line -> line.startsWith("sequence a_b_c: its name fits several"));
        assertThat(faults(examined))
                .containsExactly("loses-commits seriatim_sequence", "behind named", "behind orders.id");
    }

    @Test
    void a_sequence_is_published_by_whatever_publishes_its_table() throws Exception {
        Database database = freshDatabase();
        database.execute(
                "CREATE TABLE a (id serial PRIMARY KEY)",
                "INSERT INTO a SELECT FROM generate_series(1, 3)",
                "CREATE PUBLICATION everything FOR ALL TABLES");
        InspectionFinding found = read(database).findings().stream()
                .filter(finding -> finding.fault() == Fault.NOT_REPLICATED)
                .findFirst()
                .orElseThrow();
        assertThat(found.what()).contains("publication everything");
        String remedy = found.remedy().orElseThrow().text();
        database.execute("SELECT setval('a_id_seq', 1, false)");
        database.execute(remedy.substring(remedy.indexOf("SELECT")));
        assertThat(database.number("SELECT nextval('a_id_seq')")).isEqualTo(4);
    }

    /** PostgreSQL 19 has the column {@code puballsequences}; here, another one stands for it. */
    @Test
    void a_publication_of_all_sequences_leaves_none_behind() throws Exception {
        Database database = freshDatabase();
        database.execute("CREATE TABLE a (id serial PRIMARY KEY)", "CREATE PUBLICATION one FOR TABLE a");
        String every = PostgresCatalog.PUBLISHED.replace("puballsequences", "puballtables");
        assertThat(every).isNotEqualTo(PostgresCatalog.PUBLISHED);
        assertThat(rows(database, every)).isEqualTo(1);
        database.execute("CREATE PUBLICATION everything FOR ALL TABLES");
        assertThat(rows(database, every)).isZero();
        assertThat(rows(database, PostgresCatalog.PUBLISHED)).isEqualTo(2);
    }

    private static long rows(Database database, String query) throws SQLException {
        return database.number("SELECT count(*) FROM (" + query + ") q");
    }

    private static List<NumberSource> sequences(Inventory examined) {
        return examined.sources().stream().filter(NumberSource::isSequence).toList();
    }

    private static NumberSource sequence(Inventory examined, String name) {
        return sequences(examined).stream()
                .filter(sequence -> sequence.name().equals(new ObjectName("public", name)))
                .findFirst()
                .orElseThrow();
    }
}
