// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rows that a program has read, in the order in which it handed them on. Thread-safe. */
final class Polled {
    private final Pattern number;
    private final Pattern id = field("id");
    private final Map<Long, Integer> times = new HashMap<>();
    private long rows;
    private long last;
    private long backwards;

    Polled(Source source) {
        number = field(source.column());
    }

    /** Counts a row in JSON. */
    void json(String row) {
        row(value(number, row), value(id, row));
    }

    /** Counts a row. */
    synchronized void row(long itsNumber, long itsId) {
        rows++;
        backwards += itsNumber < last ? 1 : 0;
        last = itsNumber;
        times.merge(itsId, 1, Integer::sum);
    }

    /** Returns whether a number, or a higher one, was read. */
    synchronized boolean reached(long itsNumber) {
        return last >= itsNumber;
    }

    synchronized Outcome outcome(Set<Long> committed) {
        long lost = committed.stream().filter(row -> !times.containsKey(row)).count();
        long twice = times.values().stream().filter(count -> count > 1).count();
        long unknown =
                times.keySet().stream().filter(row -> !committed.contains(row)).count();
        return new Outcome(committed.size(), rows, lost, twice, backwards, unknown);
    }

    /**
     * What became of the rows.
     *
     * @param committed rows that were committed
     * @param polled rows that were read, repeated ones included
     * @param lost committed rows that were not read
     * @param twice rows that were read more than once
     * @param backwards rows whose number is below that of the row before
     * @param unknown rows that were read and not committed
     */
    record Outcome(long committed, long polled, long lost, long twice, long backwards, long unknown) {
        @Override
        public String toString() {
            return "%,d rows committed, %,d polled, %,d lost, %,d twice, %,d backwards, %,d unknown"
                    .formatted(committed, polled, lost, twice, backwards, unknown);
        }
    }

    private static Pattern field(String name) {
        return Pattern.compile("\"" + name + "\":(\\d+)");
    }

    private static long value(Pattern field, String row) {
        Matcher found = field.matcher(row);
        if (!found.find()) {
            throw new IllegalArgumentException("no " + field + " in " + row);
        }
        return Long.parseLong(found.group(1));
    }
}
