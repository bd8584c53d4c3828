// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.PlantedSchema;
import dev.seriatim.servers.Server;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A primary, its asynchronous standby, and settings of a server that lose commits. */
@Tag("long")
class DoctorOnStandbyTest {

    private static final Map<String, String> SETTINGS =
            Map.of("fsync", "off", "full_page_writes", "off", "synchronous_commit", "off", "hot_standby", "on");

    @Test
    void a_standby_is_examined_and_is_a_finding_on_its_primary() throws Exception {
        try (Server primary = Server.postgresql(SETTINGS)) {
            Database database = primary.freshDatabase();
            PlantedSchema.postgresql(17).plant(database);
            try (Server standby = Server.standbyOf(primary)) {
                Database copy = database.at("127.0.0.1:" + standby.port());
                while (database.number("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == 0) {
                    Thread.sleep(20);
                }
                Examination there = Examination.of(copy.url());
                Examination here = Examination.of(database.url());
                List<String> settings = List.of(
                        "loses-commits setting fsync",
                        "loses-commits setting full_page_writes",
                        "loses-commits setting synchronous_commit");
                assertThat(here.findings()).containsAll(settings).anyMatch(shown -> shown.startsWith("standby-lags "));
                assertThat(there.notes()).contains("note this server");
                assertThat(there.findings())
                        .containsExactlyInAnyOrderElementsOf(here.findings().stream()
                                .filter(shown -> !shown.startsWith("standby-lags "))
                                .toList());
                assertThat(there.skipped())
                        .anyMatch(line -> line.contains("clean_unlogged_serial_id_seq")
                                && line.contains("unlogged relations during recovery"));
                Examination mending = Examination.of(copy.url(), "--mend");
                assertThat(mending.mended()).isEmpty();
                assertThat(mending.run().err()).contains("read-only");
            }
        }
    }
}
