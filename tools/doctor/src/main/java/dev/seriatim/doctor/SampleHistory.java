// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.cli.terminal.OneLine;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The next numbers at earlier times: a line of JSON for each examination, perhaps of several databases. Not thread-safe. */
final class SampleHistory {

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final double FURTHEST_SECONDS = 3_652_425 * 86_400.0;
    private static final Gson GSON = new GsonBuilder()
            .setStrictness(Strictness.STRICT)
            .disableHtmlEscaping()
            .create();

    /** A line of the file: the next number of each source. */
    private record Sample(String at, String database, Map<String, String> next) {}

    private record Point(Instant at, BigInteger next) {}

    /** The next numbers of a source: the first since it last went back, the newest that is a week old, and the newest. */
    private record Track(Point first, Point week, BigInteger to, int direction) {

        Track then(Point now, Instant weekAgo) {
            int moved = now.next.compareTo(to);
            return moved != 0 && direction != 0 && moved != direction
                    ? new Track(now, now, now.next, 0)
                    : new Track(
                            first, now.at.isAfter(weekAgo) ? week : now, now.next, direction == 0 ? moved : direction);
        }
    }

    private final Path file;
    private final Instant weekAgo = Instant.now().minus(Duration.ofDays(7));
    private final Map<String, Map<String, Track>> tracks = new HashMap<>();

    private SampleHistory(Path file) {
        this.file = file;
    }

    /** Reads the file, which may be missing. Throws {@link SequenceException.Misconfigured} if it is not a history. */
    static SampleHistory of(Path file) {
        SampleHistory history = new SampleHistory(file);
        if (!Files.isRegularFile(file)) {
            return history;
        }
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                history.add(line, number++);
            }
        } catch (IOException e) {
            throw history.refused("cannot be read (" + OneLine.why(e) + ")", "choose another file");
        }
        return history;
    }

    private void add(String line, int number) {
        try {
            Sample sample = GSON.fromJson(line, Sample.class);
            Instant at = Instant.parse(sample.at());
            Map<String, Track> of = tracks.computeIfAbsent(sample.database(), none -> new HashMap<>());
            sample.next().forEach((source, text) -> {
                Point point = new Point(at, new BigInteger(text));
                Track begun = new Track(point, point, point.next, 0);
                of.merge(source, begun, (before, now) -> before.then(point, weekAgo));
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

    Forecast forecast(String database, Instant now) {
        Map<String, Track> of = tracks.getOrDefault(database, Map.of());
        return (source, last) -> {
            Track track = of.get(key(source));
            return track == null
                    ? Optional.empty()
                    : source.next().flatMap(next -> reached(track, next, source, last, now));
        };
    }

    /** Returns the earlier day of those at the pace of all samples, and at that of about a week. */
    private Optional<LocalDate> reached(
            Track track, BigInteger next, NumberSource source, BigInteger last, Instant now) {
        Track here = track.then(new Point(now, next), weekAgo);
        int forward = source.ascending() ? 1 : -1;
        double left = Math.max(
                0, last.subtract(next).multiply(BigInteger.valueOf(forward)).doubleValue());
        return Stream.of(here.first, here.week)
                .filter(point -> Duration.between(point.at, now).compareTo(SHORTEST) >= 0 && here.direction == forward)
                .map(point -> left
                        / next.subtract(point.next).abs().doubleValue()
                        * Duration.between(point.at, now).toSeconds())
                .filter(seconds -> seconds <= FURTHEST_SECONDS)
                .min(Comparator.naturalOrder())
                .map(seconds -> LocalDate.ofInstant(now.plusSeconds(seconds.longValue()), ZoneOffset.UTC));
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
            throw refused("cannot be written (" + OneLine.why(e) + ")", "choose another file");
        }
    }

    /** A sequence and a column may have the same name. */
    private static String key(NumberSource source) {
        return source.kindOf() + " " + source.subject();
    }
}
