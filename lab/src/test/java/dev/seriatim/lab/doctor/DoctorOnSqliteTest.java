// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.planted.PlantedFault;
import dev.seriatim.servers.planted.PlantedSchema;
import dev.seriatim.servers.planted.PlantedSqlite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorOnSqliteTest {

    @Test
    void each_planted_fault_is_found_and_none_else_and_its_line_mends_it() throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        Path file = Path.of(database.location().database());
        PlantedSchema schema = PlantedSqlite.schema();
        schema.plant(database.option("synchronous", "OFF"));
        List<String> left = new ArrayList<>(
                schema.faults().stream().map(PlantedFault::shown).toList());
        PlantedCounters.plant(database, "INTEGER PRIMARY KEY AUTOINCREMENT").stream()
                // The row number is the only generator that SQLite has; a sequence beside it is common.
                .filter(fault -> !fault.startsWith("defined-twice"))
                .forEach(left::add);
        assertThat(left).hasSizeGreaterThanOrEqualTo(40);
        assertThat(schema.clean()).hasSizeGreaterThanOrEqualTo(40);

        byte[] before = Files.readAllBytes(file);
        Examination first = Examination.of(database.url());
        assertThat(first.findings()).containsExactlyInAnyOrderElementsOf(left);
        assertThat(first.skipped())
                .containsExactly(
                        "clean_unindexed_child.of: no index begins with it, so it was not compared with the row numbers that it refers to");
        List<String> raising = Examination.doctor(database.url(), "--mend", "--dry-run")
                .out()
                .lines()
                .filter(line -> !line.startsWith("--"))
                .toList();
        assertThat(raising).hasSameSizeAs(first.remediedBy("raises")).hasSizeGreaterThanOrEqualTo(12);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);

        Examination raised = Examination.of(database.url(), "--mend");
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
}
