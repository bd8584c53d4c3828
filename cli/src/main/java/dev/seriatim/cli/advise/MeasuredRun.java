// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.advise;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.OneLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A run as {@code bench --json} wrote it. Immutable.
 *
 * @param scenario what kind of experiment it was
 * @param mode the name of the mode
 * @param batchSize 0 where there was none
 * @param lowWaterMark 0 where there was none
 */
record MeasuredRun(
        String scenario,
        String mode,
        int threads,
        long batchSize,
        long lowWaterMark,
        double appLatencyMillis,
        double reservationMillis,
        double valuesPerSecond) {

    /**
     * All runs of a file.
     *
     * @throws SequenceException.Misconfigured when it cannot be read, or is no such file
     */
    static List<MeasuredRun> of(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            String why =
                    Files.isDirectory(file) ? "it is a directory" : Files.exists(file) ? e.toString() : "no such file";
            throw new SequenceException.Misconfigured("--against: cannot read " + OneLine.quoted(file.toString()) + ": "
                    + why + "; name one that bench --json FILE has written");
        }
        try {
            JsonObject report = JsonParser.parseString(text).getAsJsonObject();
            double reservation = report.get("reservation_ms").getAsDouble();
            List<MeasuredRun> runs = new ArrayList<>();
            for (JsonElement run : report.getAsJsonArray("runs")) {
                runs.add(of(run.getAsJsonObject(), reservation));
            }
            return runs;
        } catch (JsonParseException
                | IllegalStateException
                | NullPointerException
                | UnsupportedOperationException
                | ClassCastException
                | NumberFormatException e) {
            throw new SequenceException.Misconfigured("--against: " + OneLine.quoted(file.toString())
                    + " is not what bench --json FILE writes; make one, such as: bench --store"
                    + " 'memory:?latency=10ms' --json FILE");
        }
    }

    private static MeasuredRun of(JsonObject run, double reservation) {
        return new MeasuredRun(
                run.get("scenario").getAsString(),
                run.get("mode").getAsString(),
                (int) whole(run, "threads"),
                whole(run, "batch_size"),
                whole(run, "low_water_mark"),
                decimal(run, "app_latency_ms"),
                reservation,
                decimal(run, "values_per_second"));
    }

    private static long whole(JsonObject run, String name) {
        return (long) decimal(run, name);
    }

    private static double decimal(JsonObject run, String name) {
        JsonElement value = run.get(name);
        return value == null || value.isJsonNull() ? 0 : value.getAsDouble();
    }
}
