// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.Main;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What the command costs on a large database. */
@Isolated("Measures time")
@Tag("long")
class DoctorAtScaleTest {

    private static final int TABLES = 10_000;
    private static final int PARTITIONS = 6_000;
    private static final int TABLES_IN_A_TRANSACTION = 500; // each is a lock

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's to set
    private Path folder;

    @Test
    @EnabledIfSystemProperty(named = "seriatim.trials", matches = "soak")
    void ten_thousand_tables_of_postgresql_are_examined_in_half_a_minute_and_200_megabytes() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        for (int from = 0; from < TABLES; from += TABLES_IN_A_TRANSACTION) {
            database.execute("DO $$ BEGIN FOR i IN " + from + " .. " + (from + TABLES_IN_A_TRANSACTION - 1)
                    + " LOOP EXECUTE 'CREATE TABLE t' || i || ' (id ' || CASE i % 2 WHEN 0 THEN 'bigserial' ELSE"
                    + " 'bigint GENERATED ALWAYS AS IDENTITY' END || ' PRIMARY KEY, a int, b text)';"
                    + " EXECUTE 'INSERT INTO t' || i || ' (a) VALUES (1), (2)'; END LOOP; END $$");
        }
        database.execute("INSERT INTO t5000 VALUES (9)");
        examined(
                database,
                "examined 10,000 numbered columns, 10,000 native sequences",
                "public.t5000.id  [behind]",
                "\n1 error\n");
    }

    /** A server has room for 6,400 locks, and a read of the whole table takes 12,000. */
    @Test
    @EnabledIfSystemProperty(named = "seriatim.trials", matches = "soak")
    void six_thousand_partitions_are_examined_beside_busy_sessions_and_none_fails() throws Exception {
        try (Server server = Server.postgresql(Map.of("max_connections", "100", "max_locks_per_transaction", "64"))) {
            Database database = server.freshDatabase();
            database.execute("CREATE TABLE ev (id bigserial, day int, PRIMARY KEY (id, day)) PARTITION BY LIST (day)");
            for (int from = 0; from < PARTITIONS; from += TABLES_IN_A_TRANSACTION) {
                database.execute(
                        "DO $$ BEGIN FOR i IN " + from + " .. " + (from + TABLES_IN_A_TRANSACTION - 1)
                                + " LOOP EXECUTE format('CREATE TABLE ev_%1$s PARTITION OF ev FOR VALUES IN (%1$s)', i); END LOOP; END $$");
            }
            database.execute("INSERT INTO ev (day) SELECT * FROM generate_series(0, " + (PARTITIONS - 1) + ", 100)");
            database.execute("INSERT INTO ev VALUES (1000000000, 5)");
            AtomicBoolean ended = new AtomicBoolean();
            List<CompletableFuture<Void>> busy = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                busy.add(CompletableFuture.runAsync(() -> insert(database, ended)));
            }
            try {
                examined(
                        database,
                        "examined 1 numbered column, 1 native sequence",
                        "public.ev.id  [behind]",
                        "\n1 error\n");
            } finally {
                ended.set(true);
            }
            busy.forEach(CompletableFuture::join);
        }
    }

    /** Inserts rows in transactions with some hundred locks each. */
    private static void insert(Database database, AtomicBoolean ended) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int day = 0; !ended.get(); day = (day + 200) % PARTITIONS) {
                statement.execute(
                        "INSERT INTO ev (day) SELECT * FROM generate_series(" + day + ", " + (day + 199) + ")");
                connection.commit();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Three quarters have AUTO_INCREMENT, and the others draw from a sequence each. */
    @Test
    @EnabledIfSystemProperty(named = "seriatim.trials", matches = "soak")
    void ten_thousand_tables_of_mariadb_are_examined_in_half_a_minute_and_200_megabytes() throws Exception {
        try (Server server = Server.mariadb(Map.of("innodb-flush-log-at-trx-commit", "2"))) {
            Database database = server.freshDatabase();
            List<String> statements = new ArrayList<>();
            for (int i = 0; i < TABLES; i++) {
                boolean draws = i % 4 == 0;
                if (draws) {
                    statements.add("CREATE SEQUENCE s" + i);
                }
                statements.add("CREATE TABLE t" + i + " (id bigint PRIMARY KEY "
                        + (draws ? "DEFAULT nextval(s" + i + ")" : "AUTO_INCREMENT") + ", a int, b text)");
                statements.add("INSERT INTO t" + i + " (a) VALUES (1), (2)");
            }
            statements.add("INSERT INTO t5000 (id) VALUES (1500)");
            statements.add("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
            database.execute(statements.toArray(String[]::new));
            examined(
                    database,
                    "examined 10,000 numbered columns, 2,500 native sequences",
                    ".t5000.id  [behind]",
                    "\n1 error; not all was examined, see above\n");
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "seriatim.trials", matches = "soak")
    void ten_thousand_tables_of_sqlite_are_examined_in_half_a_minute_and_200_megabytes() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        List<String> statements = new ArrayList<>(List.of("BEGIN"));
        for (int i = 0; i < TABLES; i++) {
            statements.add("CREATE TABLE t" + i + " (id INTEGER PRIMARY KEY " + (i % 2 == 0 ? "AUTOINCREMENT" : "")
                    + ", a int, b text)");
            statements.add("INSERT INTO t" + i + " (a) VALUES (1), (2)");
        }
        statements.add("UPDATE t5000 SET id = 9 WHERE id = 1");
        statements.add("COMMIT");
        database.execute(statements.toArray(String[]::new));
        examined(database, "examined 10,000 numbered columns, 0 native", "t5000.id  [reuses]", "\n1 warning\n");
    }

    @Test
    @EnabledIfSystemProperty(named = "seriatim.trials", matches = "soak")
    void a_thousand_sequences_of_postgresql_are_raised_in_twenty_seconds() throws Exception {
        raised(Engine.POSTGRESQL.freshDatabase(), "CREATE TABLE t%1$s (id bigserial PRIMARY KEY)");
    }

    @Test
    @EnabledIfSystemProperty(named = "seriatim.trials", matches = "soak")
    void a_thousand_sequences_of_mariadb_are_raised_in_twenty_seconds() throws Exception {
        raised(
                Engine.MARIADB.freshDatabase(),
                "CREATE SEQUENCE s%1$s; CREATE TABLE t%1$s (id bigint PRIMARY KEY DEFAULT nextval(s%1$s))");
    }

    private static void raised(Database database, String create) throws Exception {
        List<String> statements = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            statements.addAll(List.of(create.formatted(i).split("; ", -1)));
            statements.add("INSERT INTO t" + i + " VALUES (5)");
        }
        database.execute(statements.toArray(String[]::new));
        long begun = System.nanoTime();
        Examination mended = Examination.of(database.url(), "--mend");
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        System.out.println("1000 sequences raised in " + took.toMillis() + " ms");
        assertThat(mended.mended()).hasSize(1000);
        assertThat(took).isLessThan(Duration.ofSeconds(20));
    }

    /** Runs the command in a process of its own, on a virtual machine as the launcher starts it. */
    private void examined(Database database, String... found) throws Exception {
        Path out = folder.resolve("out");
        ProcessBuilder doctor = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "doctor"))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        doctor.environment().put("SERIATIM_STORE", database.url());
        doctor.environment().remove("JAVA_TOOL_OPTIONS");
        long begun = System.nanoTime();
        Process process = doctor.start();
        long kilobytes = 0;
        while (process.isAlive()) {
            kilobytes = Math.max(kilobytes, peak(process.pid()));
            Thread.sleep(20);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        System.out.println(TABLES + " tables in " + took.toMillis() + " ms, with " + kilobytes / 1024 + " MB");
        assertThat(process.exitValue()).isEqualTo(ExitCode.WRONG_NUMBERS);
        assertThat(out).content().contains(found);
        assertThat(took).isLessThan(Duration.ofSeconds(30));
        assertThat(kilobytes).isBetween(1L, 200L * 1024);
    }

    /** Returns the most memory that a process has had so far, in kilobytes; 0 after its end. */
    private static long peak(long process) {
        try {
            return Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
