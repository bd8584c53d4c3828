// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.rule.Diagnosis.Forecast;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The next numbers at earlier times, in a file with a line of JSON for each examination. Several databases may share a file. Not
 * thread-safe.
 */
final class SampleHistory {

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final double FURTHEST_DAYS = 3_652_425;
    private static final Gson GSON = new GsonBuilder()
            .setStrictness(Strictness.STRICT)
            .disableHtmlEscaping()
            .create();

    /** A line of the file: the next number of each source. */
    private record Sample(String at, String database, Map<String, String> next) {}

    /** The next numbers of a source: the first since it last went back, and the newest. */
    private record Track(Instant since, BigInteger from, BigInteger to, int direction) {

        Track then(Instant at, BigInteger next) {
            int moved = next.compareTo(to);
            return moved != 0 && direction != 0 && moved != direction
                    ? new Track(at, next, next, 0)
                    : new Track(since, from, next, direction == 0 ? moved : direction);
        }
    }

    private final Path file;
    private final Map<String, Map<String, Track>> tracks = new HashMap<>();

    private SampleHistory(Path file) {
        this.file = file;
    }

    /** Reads the file, which may be missing. Throws {@link SequenceException.Misconfigured} if it is not a history. */
    static SampleHistory of(Path file) {
        SampleHistory history = new SampleHistory(file);
        if (!Files.exists(file)) {
            return history;
        }
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                history.add(line, number++);
            }
        } catch (IOException e) {
            throw history.refused("cannot be read (" + e + ")", "choose another file");
        }
        return history;
    }

    private void add(String line, int number) {
        try {
            Sample sample = GSON.fromJson(line, Sample.class);
            Instant at = Instant.parse(sample.at());
            Map<String, Track> of = tracks.computeIfAbsent(sample.database(), none -> new HashMap<>());
            sample.next().forEach((source, text) -> {
                BigInteger value = new BigInteger(text);
                of.merge(source, new Track(at, value, value, 0), (before, now) -> before.then(at, value));
            });
        } catch (JsonParseException | DateTimeException | NullPointerException | NumberFormatException e) {
            throw refused(
                    "is not a history of this command (line " + number + ")",
                    "choose another file, or remove that line if it was cut off");
        }
    }

    private SequenceException refused(String why, String remedy) {
        return new SequenceException.Misconfigured("--history: '" + file + "' " + why + "; " + remedy);
    }

    /** Returns the forecast for a database that is examined now. */
    Forecast forecast(String database, Instant now) {
        Map<String, Track> of = tracks.getOrDefault(database, Map.of());
        return (source, last) -> {
            Track track = of.get(key(source));
            return track == null
                    ? Optional.empty()
                    : source.next().flatMap(next -> reached(track, next, source, last, now));
        };
    }

    private static Optional<LocalDate> reached(
            Track track, BigInteger next, NumberSource source, BigInteger last, Instant now) {
        Track here = track.then(now, next);
        Duration passed = Duration.between(here.since(), now);
        int forward = source.ascending() ? 1 : -1;
        if (passed.compareTo(SHORTEST) < 0 || here.direction() != forward) {
            return Optional.empty();
        }
        double left =
                last.subtract(next).doubleValue() / next.subtract(here.from()).doubleValue();
        double days = Math.max(0, left * passed.toSeconds() / Duration.ofDays(1).toSeconds());
        Instant end = now.plusSeconds(
                (long) (Math.min(days, FURTHEST_DAYS) * Duration.ofDays(1).toSeconds()));
        return days > FURTHEST_DAYS
                ? Optional.empty()
                : Optional.of(end.atZone(ZoneOffset.UTC).toLocalDate());
    }

    /** Appends the next numbers. Throws {@link SequenceException.Misconfigured} if the file cannot be written. */
    void append(String database, Instant at, List<NumberSource> sources) {
        Map<String, String> next = new LinkedHashMap<>();
        for (NumberSource source : sources) {
            source.next().ifPresent(value -> next.put(key(source), value.toString()));
        }
        try {
            Files.writeString(
                    file,
                    JsonText.escaped(GSON.toJson(new Sample(at.toString(), database, next))) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw refused("cannot be written (" + e + ")", "choose another file");
        }
    }

    /** A sequence and a column may have the same name. */
    private static String key(NumberSource source) {
        return source.kindOf() + " " + source.subject();
    }
}
