// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import com.google.gson.JsonObject;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.servers.Database;
import java.sql.SQLException;
import java.util.List;

/** Sequences of this library with a fault each, and some without. Stateless. */
final class PlantedCounters {

    private PlantedCounters() {}

    /**
     * Creates them.
     *
     * @param numbered what declares a key that the engine numbers, such as {@code int AUTO_INCREMENT PRIMARY KEY}
     * @return the faults that have to be found, each followed by its subject, with {@code %s} for the schema and a dot
     */
    static List<String> plant(Database database, String numbered) throws SQLException {
        run(database, "create", "ours_behind.id");
        run(database, "create", "ours_down_id_seq", "--increment-by=-1", "--start-with=-1", "--min-value=-1000");
        run(database, "create", "ours_cycle.id", "--cycle", "--max-value", "100");
        run(database, "create", "ours_short", "--max-value", "2");
        run(database, "next", "ours_short", "--count", "2");
        run(database, "create", "ours_most", "--max-value", "100", "--start-with", "95");
        run(database, "create", "ours_doubles", "--start-with", "9007199254740000");
        run(database, "create", "ours_twice_id");
        run(database, "create", "ours_clean.id");
        run(database, "create", "ours_alone");
        run(database, "create", "ours_clean_down", "--increment-by=-5", "--min-value=-1000");
        run(database, "raise", "ours_clean.id", "--to", "50");
        database.execute(
                "CREATE TABLE ours_behind (id bigint PRIMARY KEY)",
                "INSERT INTO ours_behind VALUES (1), (70)",
                "CREATE TABLE ours_down (id bigint PRIMARY KEY)",
                "INSERT INTO ours_down VALUES (-1), (-9)",
                "CREATE TABLE ours_cycle (id bigint PRIMARY KEY)",
                "CREATE TABLE ours_twice (id " + numbered + ")",
                "CREATE TABLE ours_clean (id bigint PRIMARY KEY)",
                "INSERT INTO ours_clean VALUES (1), (49)");
        return List.of(
                "behind ours_behind.id",
                "behind ours_down_id_seq",
                "cycles ours_cycle.id",
                "exhausted ours_short",
                "running-out ours_most",
                "beyond-exact-doubles ours_doubles",
                "defined-twice %sours_twice.id");
    }

    /** Runs the command that a finding prints; its names need no quotes. */
    static void mend(Database database, JsonObject finding) {
        run(database, Examination.command(finding).split(" ", -1));
    }

    private static void run(Database database, String... words) {
        CommandLineRun.on(database.url(), words).succeeded();
    }
}
