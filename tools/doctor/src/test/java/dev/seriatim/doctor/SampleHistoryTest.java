// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleHistoryTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's to set
    private Path folder;

    /** Examines a sequence of 32 bits that stood at these numbers so many days ago. */
    private Examination after(String next, String... daysAndNumbers) throws Exception {
        Database database = Engine.SQLITE.freshDatabase();
        CommandLineRun.on(database.url(), "create", "ids", "--max-value", "2147483647", "--start-with", next)
                .succeeded();
        String file = folder.resolve("history").toString();
        Files.deleteIfExists(Path.of(file));
        Examination.of(database.url(), "--history", file);
        String line = Files.readString(Path.of(file));
        StringBuilder before = new StringBuilder();
        for (String one : daysAndNumbers) {
            String[] parts = one.split(" ", -1);
            Instant at = Instant.now().minus(Long.parseLong(parts[0]), ChronoUnit.DAYS);
            before.append(line.replaceFirst("\"at\":\"[^\"]*\"", "\"at\":\"" + at + "\"")
                    .replace(next, parts[1]));
        }
        Files.writeString(Path.of(file), before);
        return Examination.of(database.url(), "--history", file);
    }

    private static List<String> within(long days) {
        LocalDate day = LocalDate.now(ZoneOffset.UTC).plusDays(days);
        return List.of(day.toString(), day.minusDays(1).toString());
    }

    private static String usedUpOn(Examination examination) {
        JsonObject ids = examination.json().getAsJsonArray("generators").get(0).getAsJsonObject();
        return ids.get("used_up_on").getAsString();
    }

    @Test
    void the_pace_of_the_last_week_counts_if_it_is_faster() throws Exception {
        Examination faster = after("1750000000", "900 1", "300 999999999", "7 1000000000", "1 1600000000");
        assertThat(usedUpOn(faster)).isIn(within(4));
        assertThat(faster.run().out()).contains("the last one on " + usedUpOn(faster));
    }

    @Test
    void the_pace_of_all_samples_counts_if_it_is_faster_or_they_are_of_this_week() throws Exception {
        assertThat(usedUpOn(after("1000000000", "100 1", "7 999999999"))).isIn(within(115));
        assertThat(usedUpOn(after("1000000000", "100 1", "7 1000000000"))).isIn(within(115));
        assertThat(usedUpOn(after("1000000000", "2 990000000"))).isIn(within(230));
    }

    @Test
    void a_day_within_three_months_is_a_warning_although_most_numbers_are_left() throws Exception {
        Examination soon = after("1000000000", "900 1", "7 900000000");
        assertThat(soon.findings()).containsExactly("running-out ids");
        assertThat(soon.run().out()).contains("46 % of its numbers", "are used; at its pace so far, the last one on ");
        assertThat(after("1000000000", "900 1", "7 999000000").findings()).isEmpty();
    }
}
