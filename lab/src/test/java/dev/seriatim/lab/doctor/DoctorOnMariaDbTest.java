// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.planted.PlantedFault;
import dev.seriatim.servers.planted.PlantedMariaDb;
import dev.seriatim.servers.planted.PlantedSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The command on MariaDB and MySQL. */
class DoctorOnMariaDbTest {

    @Test
    void each_planted_fault_is_found_and_none_else_and_its_line_mends_it_on_mariadb() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        PlantedSchema schema = PlantedMariaDb.mariaDb(database.location().database());
        Examination first = found(database, schema);
        assertThat(first.skipped())
                .containsExactlyInAnyOrder(
                        named(database, "%s.clean_code.code, %s.clean_hundred.id")
                                + ": its default computes with a sequence's values",
                        named(database, "%s.clean_unindexed.id, %s.in_groups.id, %s.in_memory.id")
                                + ": no index begins with the column; reading all of it has to be asked for with --scan");
        assertThat(first.remediedBy("raises")).hasSizeGreaterThanOrEqualTo(14);
        mended(database, first);
    }

    @Test
    void each_planted_fault_is_found_and_none_else_and_its_line_mends_it_on_mysql() throws Exception {
        Database database = Engine.MYSQL.freshDatabase();
        PlantedSchema schema = PlantedMariaDb.mySql(database.location().database());
        Examination first = found(database, schema);
        assertThat(first.skipped())
                .containsExactly(named(database, "%s.archived.id, %s.in_groups.id, %s.in_memory.id")
                        + ": no index begins with the column; reading all of it has to be asked for with --scan");
        mended(database, first);
    }

    private static Examination found(Database database, PlantedSchema schema) throws SQLException {
        schema.plant(database);
        List<String> faults =
                new ArrayList<>(schema.faults().stream().map(PlantedFault::shown).toList());
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

    private static String named(Database database, String text) {
        return text.replace("%s", database.location().database());
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
