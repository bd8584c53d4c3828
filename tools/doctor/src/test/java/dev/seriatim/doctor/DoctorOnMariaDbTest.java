// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.PlantedSchema;
import dev.seriatim.servers.Server;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command on MariaDB and MySQL. */
class DoctorOnMariaDbTest {

    @Test
    void each_planted_fault_is_found_and_none_else_and_its_line_mends_it_on_mariadb() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        PlantedSchema schema = PlantedSchema.mariaDb(database.name());
        Examination first = found(database, schema);
        assertThat(first.skipped())
                .containsExactlyInAnyOrder(
                        named(database, "%s.clean_code.code, %s.clean_hundred.id")
                                + ": its default computes with a sequence's values",
                        named(database, "%s.clean_unindexed.id, %s.in_groups.id, %s.in_memory.id")
                                + ": no index begins with the column; reading all of it has to be asked for with --scan",
                        named(database, "%s.clean_dates")
                                + ": the server's cache hides the next number, which a column may hold already; --mend passes it");
        assertThat(first.remediedBy("raises")).hasSizeGreaterThanOrEqualTo(13);
        mended(database, first);
    }

    @Test
    void each_planted_fault_is_found_and_none_else_and_its_line_mends_it_on_mysql() throws Exception {
        Database database = Engine.MYSQL.freshDatabase();
        PlantedSchema schema = PlantedSchema.mySql(database.name());
        Examination first = found(database, schema);
        assertThat(first.skipped())
                .containsExactly(named(database, "%s.archived.id, %s.in_groups.id, %s.in_memory.id")
                        + ": no index begins with the column; reading all of it has to be asked for with --scan");
        mended(database, first);
    }

    private static Examination found(Database database, PlantedSchema schema) throws SQLException {
        schema.plant(database);
        List<String> faults = new ArrayList<>(schema.faults().keySet());
        PlantedCounters.plant(database, "int AUTO_INCREMENT PRIMARY KEY")
                .forEach(fault -> faults.add(named(database, fault.replace("%s", "%s."))));
        assertThat(faults).hasSizeGreaterThanOrEqualTo(40);
        assertThat(schema.clean()).hasSizeGreaterThanOrEqualTo(40);
        Examination first = Examination.of(database.url());
        assertThat(first.findings()).containsExactlyInAnyOrderElementsOf(faults);
        return first;
    }

    /** Runs what the command would run, then what it prints for a person to run. */
    private static void mended(Database database, Examination first) throws SQLException {
        String before = dump(database);
        List<String> raising = Examination.doctor(database.url(), "--mend", "--dry-run")
                .out()
                .lines()
                .filter(line -> !line.startsWith("--"))
                .toList();
        assertThat(raising).hasSameSizeAs(first.remediedBy("raises"));
        assertThat(dump(database)).isEqualTo(before);

        Examination raised = Examination.of(database.url(), "--mend");
        List<String> left = new ArrayList<>(first.findings());
        first.remediedBy("raises").forEach(finding -> left.remove(Examination.shown(finding)));
        assertThat(raised.mended()).hasSameSizeAs(raising);
        assertThat(raised.findings()).containsExactlyInAnyOrderElementsOf(left);

        for (JsonObject finding : raised.remediedBy("changes")) {
            database.execute(Examination.remedy(finding));
            left.remove(Examination.shown(finding));
        }
        for (JsonObject finding : raised.remediedBy("command")) {
            PlantedCounters.mend(database, finding);
            left.remove(Examination.shown(finding));
        }
        assertThat(Examination.of(database.url()).findings()).containsExactlyInAnyOrderElementsOf(left);
    }

    /** The children are in two databases, one is its own parent's, and one has a child of its own. */
    @Test
    void a_column_that_foreign_keys_refer_to_is_widened_with_them() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        Database other = Engine.MARIADB.freshDatabase();
        database.execute(
                "CREATE TABLE parent (id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT 'it''s, ;', up int unsigned,"
                        + " CONSTRAINT `odd, key` FOREIGN KEY (up) REFERENCES parent (id) ON DELETE SET NULL)",
                "CREATE TABLE child (parent_id int unsigned NOT NULL DEFAULT 7 COMMENT 'a, b' PRIMARY KEY, n int,"
                        + " FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE)",
                "INSERT INTO parent VALUES (4000000000, NULL)",
                "INSERT INTO child VALUES (4000000000, 1)");
        other.execute(named(
                database,
                "CREATE TABLE grandchild (id int unsigned NULL,"
                        + " FOREIGN KEY (id) REFERENCES %s.child (parent_id))"));
        Examination found = Examination.of(database.url());
        assertThat(found.findings()).containsExactly(named(database, "type-running-out %s.parent.id"));
        String line = Examination.remedy(found.remediedBy("changes").get(0));
        for (String statement : line.split("; (?=ALTER)", -1)) {
            other.execute(statement);
        }
        database.execute(
                "INSERT INTO parent VALUES (5000000000, 4000000000)", "INSERT INTO child VALUES (5000000000, 1)");
        other.execute("INSERT INTO grandchild VALUES (5000000000), (NULL)");
        assertThat(Examination.of(database.url()).findings()).isEmpty();
        String after = dump(database) + dump(other);
        assertThat(after)
                .contains("`id` bigint(20) unsigned NOT NULL AUTO_INCREMENT COMMENT 'it''s, ;'")
                .contains("`parent_id` bigint(20) unsigned NOT NULL DEFAULT 7 COMMENT 'a, b'")
                .contains("CONSTRAINT `odd, key` FOREIGN KEY (`up`) REFERENCES `parent` (`id`) ON DELETE SET NULL")
                .contains("REFERENCES `parent` (`id`) ON DELETE CASCADE")
                .contains("REFERENCES `" + database.name() + "`.`child` (`parent_id`)");
        assertThatThrownBy(() -> database.execute("INSERT INTO child VALUES (3, 1)"))
                .hasMessageContaining("foreign key");
    }

    @Test
    void a_raised_sequence_deals_none_of_the_numbers_that_it_leaves_to_others() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        database.execute(
                "CREATE SEQUENCE tens START WITH 3 INCREMENT BY 10 NOCACHE",
                "CREATE TABLE by_tens (id bigint PRIMARY KEY DEFAULT nextval(tens))",
                "INSERT INTO by_tens VALUES (DEFAULT), (13), (37)",
                "CREATE SEQUENCE falling START WITH -3 INCREMENT BY -10",
                "CREATE TABLE by_falling (id bigint PRIMARY KEY DEFAULT nextval(falling))",
                "INSERT INTO by_falling VALUES (-13), (-37)",
                "CREATE SEQUENCE odd INCREMENT BY 2",
                "CREATE TABLE by_odd (id bigint PRIMARY KEY DEFAULT nextval(odd))",
                "INSERT INTO by_odd VALUES (3), (100)",
                "CREATE SEQUENCE ending START WITH 3 INCREMENT BY 10 MAXVALUE 1000 NOCACHE",
                "CREATE TABLE by_ending (id bigint PRIMARY KEY DEFAULT nextval(ending))",
                "INSERT INTO by_ending VALUES (993)",
                "SELECT SETVAL(ending, 983, 0)");
        Examination raised = Examination.of(database.url(), "--mend");
        assertThat(raised.mended())
                .containsExactlyInAnyOrder(
                        named(database, "behind %s.by_tens.id"),
                        named(database, "behind %s.by_falling.id"),
                        named(database, "behind %s.by_odd.id"));
        assertThat(raised.run().out()).contains("ends at 1000, before 1003: give it a wider range");
        assertThat(database.number("SELECT nextval(tens)")).isEqualTo(43);
        assertThat(database.number("SELECT nextval(tens)")).isEqualTo(53);
        assertThat(database.number("SELECT nextval(falling)")).isEqualTo(-43);
        assertThat(database.number("SELECT nextval(odd)")).isEqualTo(101);
    }

    @Test
    void rows_among_the_cached_values_of_a_sequence_are_said_and_passed() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        database.execute(
                "CREATE SEQUENCE numbers",
                "CREATE TABLE loaded (id bigint PRIMARY KEY DEFAULT nextval(numbers))",
                "INSERT INTO loaded VALUES (DEFAULT)",
                "CREATE SEQUENCE falling START WITH -3 INCREMENT BY -10 CACHE 5",
                "CREATE TABLE by_falling (id bigint PRIMARY KEY DEFAULT nextval(falling))",
                "INSERT INTO by_falling VALUES (DEFAULT)",
                "CREATE SEQUENCE known CACHE 5",
                "CREATE TABLE drawn (id bigint PRIMARY KEY DEFAULT nextval(known))",
                "INSERT INTO drawn VALUES (DEFAULT)");
        assertThat(Examination.of(database.url()).skipped()).isEmpty();
        database.execute(
                "INSERT INTO loaded SELECT seq FROM seq_2_to_500", "INSERT INTO by_falling VALUES (-13), (-25)");
        Examination raised = Examination.of(database.url(), "--mend");
        assertThat(raised.findings()).isEmpty();
        assertThat(Examination.doctor(database.url()).out())
                .doesNotContain("may repeat")
                .contains("--mend passes it");
        assertThat(raised.skipped())
                .containsExactly(named(
                        database,
                        "%s.falling, %s.numbers: the server's cache hides the next number, which a column may hold"
                                + " already; --mend passes it"));
        assertThat(raised.mended())
                .containsExactlyInAnyOrder(
                        named(database, "maybe-behind %s.falling"), named(database, "maybe-behind %s.numbers"));
        assertThat(database.number("SELECT nextval(numbers)")).isEqualTo(501);
        assertThat(database.number("SELECT nextval(falling)")).isEqualTo(-33);
        assertThat(Examination.of(database.url(), "--mend").mended()).isNotEmpty();
        assertThat(database.number("SELECT nextval(numbers)"))
                .as("never set back")
                .isEqualTo(502);
    }

    @Test
    void a_user_who_may_only_read_finds_the_same_and_hears_what_is_hidden_from_it_on_mariadb() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        database.execute(
                "CREATE SEQUENCE numbers",
                "CREATE TABLE drawn (id bigint PRIMARY KEY DEFAULT nextval(numbers))",
                "INSERT INTO drawn VALUES (5)");
        readOnly(database);
        Database reader = reader(database);
        Examination raising = Examination.of(reader.url(), "--mend");
        assertThat(raising.mended()).isEmpty();
        assertThat(raising.run().err()).contains("refuses SELECT SETVAL(", "run it as the owner of the sequence");
        database.execute(named(database, "GRANT SELECT ON %s.drawn TO '%s_part'@'%'"));
        assertThat(Examination.of(
                                database.as(named(database, "%s_part"), "read").url())
                        .skipped())
                .contains(
                        named(database, "%s.hidden_column.id, %s.late_too.id, %s.numbers: this user may not read it"));
    }

    @Test
    void a_user_who_may_only_read_finds_the_same_and_hears_what_is_hidden_from_it_on_mysql() throws Exception {
        readOnly(Engine.MYSQL.freshDatabase());
    }

    private static void readOnly(Database database) throws SQLException {
        PlantedCounters.plant(database, "int AUTO_INCREMENT PRIMARY KEY");
        database.execute(
                "CREATE TABLE late (id tinyint AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO late VALUES (120)",
                "CREATE TABLE late_too (id tinyint AUTO_INCREMENT PRIMARY KEY, other int)",
                "INSERT INTO late_too VALUES (120, 1)",
                "CREATE TABLE hidden_column (id tinyint AUTO_INCREMENT PRIMARY KEY, other int)",
                named(database, "CREATE USER '%s_read'@'%' IDENTIFIED BY 'read'"),
                named(database, "CREATE USER '%s_part'@'%' IDENTIFIED BY 'read'"),
                named(database, "GRANT SELECT ON %s.* TO '%s_read'@'%'"),
                named(database, "GRANT SELECT ON %s.late TO '%s_part'@'%'"),
                named(database, "GRANT INSERT ON %s.late_too TO '%s_part'@'%'"),
                named(database, "GRANT SELECT (other), INSERT (id) ON %s.hidden_column TO '%s_part'@'%'"));
        Examination all = Examination.of(database.url());
        Examination read = Examination.of(reader(database).url());
        assertThat(read.findings()).containsExactlyElementsOf(all.findings());
        assertThat(read.skipped())
                .isSubsetOf(
                        "replication: this user may not list the replicas (REPLICATION SLAVE)",
                        "replication: this user may not list the sources (REPLICA MONITOR)");
        Examination part =
                Examination.of(database.as(named(database, "%s_part"), "read").url());
        assertThat(part.findings()).contains(named(database, "type-running-out %s.late.id"));
        assertThat(part.skipped())
                .contains(named(
                        database,
                        "%s: this user may not read all of its tables, and those that it may not read are not listed"))
                .anyMatch(line -> line.contains("hidden_column.id") && line.endsWith(": this user may not read it"))
                .anyMatch(line -> line.contains("late_too.id") && line.endsWith(": this user may not read it"));
    }

    private static Database reader(Database database) {
        return database.as(named(database, "%s_read"), "read");
    }

    @Test
    void a_table_that_another_session_holds_costs_only_itself_on_mariadb() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        database.execute(
                "CREATE SEQUENCE held_numbers",
                "CREATE TABLE drawn (id bigint PRIMARY KEY DEFAULT nextval(held_numbers))");
        held(database, "LOCK TABLES held WRITE", "held.id");
        held(
                database,
                "LOCK TABLES held_numbers WRITE, seriatim_sequence WRITE",
                "held_numbers",
                "table seriatim_sequence");
    }

    @Test
    void a_table_that_another_session_holds_costs_only_itself_on_mysql() throws Exception {
        held(Engine.MYSQL.freshDatabase(), "LOCK TABLES held WRITE", "held.id");
    }

    private static void held(Database database, String lock, String... left) throws Exception {
        CommandLineRun.on(database.url(), "create", "--if-not-exists", "short", "--max-value", "1")
                .succeeded();
        database.execute(
                "CREATE TABLE IF NOT EXISTS held (id tinyint AUTO_INCREMENT PRIMARY KEY)",
                "CREATE TABLE IF NOT EXISTS late (id tinyint AUTO_INCREMENT PRIMARY KEY)",
                "CREATE TABLE IF NOT EXISTS moved (id tinyint AUTO_INCREMENT PRIMARY KEY)",
                "CREATE TABLE IF NOT EXISTS watched (id tinyint AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO late VALUES (120) ON DUPLICATE KEY UPDATE id = 120");
        try (Connection locking = database.connect();
                Connection reading = database.connect();
                Connection moving = database.connect();
                Statement locks = locking.createStatement();
                Statement reads = reading.createStatement();
                Statement moves = moving.createStatement()) {
            locks.execute(lock);
            reading.setAutoCommit(false);
            reads.executeQuery("SELECT * FROM watched").close();
            // Takes one table for itself, and waits for the other.
            CompletableFuture<Void> renamed = CompletableFuture.runAsync(() -> {
                try {
                    moves.execute("RENAME TABLE moved TO moved_too, watched TO watched_too");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            try {
                await(database);
                Examination examination = Examination.of(database.url(), "--timeout", "300ms");
                assertThat(examination.findings()).contains(named(database, "type-running-out %s.late.id"));
                assertThat(examination.skipped())
                        .filteredOn(line -> line.contains("another session holds it, or reading it took too long"))
                        .anyMatch(line -> line.contains(".moved"));
                assertThat(String.join("\n", examination.skipped())).contains(left);
            } finally {
                reading.rollback();
                renamed.get(30, TimeUnit.SECONDS);
            }
        }
        database.execute("DROP TABLE moved_too, watched_too");
    }

    /** Waits until the statement that renames waits. */
    private static void await(Database database) throws Exception {
        for (int i = 0; i < 3000; i++) {
            if (database.number("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = DATABASE()"
                            + " AND INFO LIKE 'RENAME TABLE%' AND STATE LIKE 'Waiting for table metadata lock'")
                    > 0) {
                return;
            }
            Thread.sleep(10);
        }
        throw new IllegalStateException("the statement that renames does not wait");
    }

    @Test
    void settings_that_lose_commits_or_repeat_numbers_are_found_and_the_printed_ones_mend_them() throws Exception {
        Map<String, String> settings = Map.of(
                "innodb-flush-log-at-trx-commit", "2",
                "log-bin", "log",
                "server-id", "1",
                "sync-binlog", "0",
                "innodb-doublewrite", "OFF",
                "innodb-autoinc-lock-mode", "2",
                "binlog-format", "STATEMENT",
                "auto-increment-increment", "2",
                "auto-increment-offset", "2");
        try (Server server = Server.mariadb(settings)) {
            Database database = server.freshDatabase();
            assertThat(Examination.of(database.url()).findings())
                    .containsExactlyInAnyOrder(
                            "loses-commits innodb_flush_log_at_trx_commit",
                            "loses-commits sync_binlog",
                            "loses-commits innodb_doublewrite");
            database.execute(
                    "CREATE TABLE numbered (id tinyint AUTO_INCREMENT PRIMARY KEY)",
                    "INSERT INTO numbered VALUES (126)");
            Examination numbered = Examination.of(database.url());
            assertThat(numbered.findings())
                    .contains("repeats innodb_autoinc_lock_mode")
                    // The next number is 128, not 127.
                    .contains(named(database, "exhausted %s.numbered.id"))
                    .hasSize(5);
            assertThat(numbered.notes()).contains("note auto_increment_increment");
            for (JsonObject finding : numbered.remediedBy("advice")) {
                String remedy = Examination.remedy(finding);
                if (remedy.startsWith("SET GLOBAL ")) {
                    database.execute(remedy.replaceFirst(",.*", ""));
                }
            }
            assertThat(Examination.of(database.url()).findings())
                    .containsExactlyInAnyOrder(
                            "loses-commits innodb_doublewrite", named(database, "exhausted %s.numbered.id"));

            database.execute(
                    "CREATE SEQUENCE chosen INCREMENT BY 0",
                    "CREATE TABLE drawn (id bigint PRIMARY KEY DEFAULT nextval(chosen))",
                    "INSERT INTO drawn VALUES (8), (5001)");
            assertThat(Examination.of(database.url(), "--mend").mended())
                    .containsExactly(named(database, "behind %s.drawn.id"));
            assertThat(database.number("SELECT nextval(chosen)"))
                    .as("in the server's steps")
                    .isGreaterThan(5001)
                    .isEven();
        }
    }

    @Test
    @Tag("long")
    void sequences_of_a_cluster_repeat_between_its_nodes() throws Exception {
        Database database = Engine.GALERA.freshDatabase();
        database.execute("CREATE SEQUENCE plain NOCACHE", "CREATE SEQUENCE chosen INCREMENT BY 0 NOCACHE");
        Examination found = Examination.of(database.url());
        assertThat(found.findings()).containsExactly(named(database, "repeats %s.plain"));
        assertThat(found.notes()).containsOnlyOnce("note native sequences");
        database.execute(Examination.remedy(found.remediedBy("changes").get(0)));
        assertThat(Examination.of(database.url()).findings()).isEmpty();
    }

    @Test
    void two_masters_with_the_same_increment_are_found() throws Exception {
        try (Server server = Server.mariadb(Map.of("server-id", "1", "log-bin", "log", "sync-binlog", "1"))) {
            Database database = server.freshDatabase();
            assertThat(Examination.of(database.url()).findings()).isEmpty();
            database.execute("CHANGE MASTER 'other' TO MASTER_HOST = '127.0.0.1', MASTER_PORT = 1, MASTER_USER = 'x'");
            Examination found = Examination.of(database.url());
            assertThat(found.findings()).containsExactly("two-masters replication");
            database.execute("SET GLOBAL auto_increment_increment = 2");
            assertThat(Examination.of(database.url()).findings()).isEmpty();
            database.execute(
                    "SET GLOBAL auto_increment_increment = 1",
                    Examination.remedy(found.remediedBy("advice").get(0)).replaceFirst(",.*", ""));
            Examination replica = Examination.of(database.url());
            assertThat(replica.findings()).isEmpty();
            assertThat(replica.notes()).contains("note read_only");
        }
    }

    @Test
    void columns_are_found_whatever_the_case_of_their_names_is() throws Exception {
        Database sensitive = Engine.MARIADB.freshDatabase();
        sensitive.execute(
                "CREATE TABLE Orders (Id bigint PRIMARY KEY)",
                "INSERT INTO Orders VALUES (5)",
                "CREATE TABLE orders (id bigint PRIMARY KEY)");
        CommandLineRun.on(sensitive.url(), "create", "Orders.ID").succeeded();
        CommandLineRun.on(sensitive.url(), "create", "orders.id").succeeded();
        assertThat(Examination.of(sensitive.url()).findings()).containsExactly("behind Orders.ID");
        try (Server server = Server.mariadb(Map.of("lower-case-table-names", "1"))) {
            Database database = server.freshDatabase();
            database.execute("CREATE TABLE Orders (Id bigint PRIMARY KEY)", "INSERT INTO Orders VALUES (5)");
            for (String name : List.of("Orders.Id", "numbers")) {
                CommandLineRun.on(database.url(), "create", name).succeeded();
            }
            assertThat(Examination.of(database.url(), "--column", "numbers=ORDERS.ID")
                            .findings())
                    .containsExactlyInAnyOrder("behind Orders.Id", "behind numbers");
        }
    }

    @Test
    void a_partitioned_table_whose_counter_can_go_back_gets_a_note() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        String columns = " (id int AUTO_INCREMENT, day int, PRIMARY KEY (id, day))";
        database.execute(
                "CREATE TABLE whole" + columns,
                "CREATE TABLE parts" + columns + " PARTITION BY HASH (day) PARTITIONS 2",
                "CREATE TABLE uncounted (id int PRIMARY KEY) PARTITION BY HASH (id) PARTITIONS 2");
        Examination found = Examination.of(database.url());
        assertThat(found.findings()).isEmpty();
        assertThat(found.notes()).containsExactly(named(database, "note %s.parts"));
    }

    @Test
    void tables_that_are_dropped_meanwhile_do_no_harm() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        database.execute("CREATE TABLE late (id tinyint AUTO_INCREMENT PRIMARY KEY)", "INSERT INTO late VALUES (120)");
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                for (int i = 0; !over.get(); i++) {
                    statement.execute("CREATE SEQUENCE s" + i);
                    statement.execute("CREATE TABLE t" + i + " (id bigint PRIMARY KEY DEFAULT nextval(s" + i + "))");
                    statement.execute("CREATE TABLE a" + i + " (id int AUTO_INCREMENT PRIMARY KEY)");
                    statement.execute("DROP TABLE t" + i + ", a" + i);
                    statement.execute("DROP SEQUENCE s" + i);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            for (int i = 0; i < 10; i++) {
                assertThat(Examination.of(database.url()).findings())
                        .contains(named(database, "type-running-out %s.late.id"));
            }
        } finally {
            over.set(true);
            changes.get(30, TimeUnit.SECONDS);
        }
    }

    private static String named(Database database, String text) {
        return text.replace("%s", database.name());
    }

    /** Returns the definitions of all tables, with their counters, and sums of what is in them. */
    private static String dump(Database database) throws SQLException {
        StringBuilder all = new StringBuilder();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                Statement inner = connection.createStatement();
                ResultSet table = statement.executeQuery("SELECT TABLE_NAME, TABLE_TYPE FROM information_schema.TABLES"
                        + " WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME")) {
            inner.setEscapeProcessing(false);
            while (table.next()) {
                String name = "`" + table.getString(1).replace("`", "``") + "`";
                String state = table.getString(2).equals("SEQUENCE")
                        ? "SELECT cycle_count, next_not_cached_value FROM " + name
                        : "CHECKSUM TABLE " + name;
                for (String query : List.of("SHOW CREATE TABLE " + name, state)) {
                    try (ResultSet row = inner.executeQuery(query)) {
                        row.next();
                        all.append(row.getString(2)).append('\n');
                    }
                }
            }
        }
        return all.toString();
    }
}
