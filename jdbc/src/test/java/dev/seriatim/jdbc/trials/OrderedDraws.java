// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Millions of draws, each with the times of its call and its return, in arrays. Not thread-safe. */
final class OrderedDraws {

    private long[] began = new long[1 << 16];
    private long[] ended = new long[1 << 16];
    private long[] values = new long[1 << 16];
    private int size;

    void add(long from, long to, long value) {
        if (size == values.length) {
            began = Arrays.copyOf(began, 2 * size);
            ended = Arrays.copyOf(ended, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        began[size] = from;
        ended[size] = to;
        values[size++] = value;
    }

    /** Adds what the processes of {@link OrderProgram} have written to a folder. */
    void addAll(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.toList();
        }
        for (Path file : files) {
            ByteBuffer draws = ByteBuffer.wrap(Files.readAllBytes(file));
            while (draws.remaining() > 0) {
                long from = draws.getLong();
                long to = draws.getLong();
                long value = draws.getLong();
                if (value != 0) {
                    add(from, to, value);
                }
            }
        }
    }

    void addAll(OrderedDraws others) {
        for (int i = 0; i < others.size; i++) {
            add(others.began[i], others.ended[i], others.values[i]);
        }
    }

    int size() {
        return size;
    }

    /** Returns what is wrong; empty if nothing is. */
    List<String> findings() {
        List<String> findings = new ArrayList<>();
        long[] sorted = Arrays.copyOf(values, size);
        Arrays.sort(sorted);
        long repeated =
                IntStream.range(1, size).filter(i -> sorted[i] == sorted[i - 1]).count();
        if (repeated > 0) {
            findings.add(repeated + " of " + size + " values repeated");
        }
        long violations = violations();
        if (violations > 0) {
            findings.add(violations + " of " + size + " values out of order");
        }
        return findings;
    }

    /** Counts draws whose value is not above that of a draw that had returned before they began. */
    private long violations() {
        int[] byStart = sortedBy(began);
        int[] byEnd = sortedBy(ended);
        long violations = 0;
        long highest = Long.MIN_VALUE;
        int returned = 0;
        for (int draw : byStart) {
            while (returned < size && ended[byEnd[returned]] < began[draw]) {
                highest = Math.max(highest, values[byEnd[returned++]]);
            }
            violations += values[draw] <= highest ? 1 : 0;
        }
        return violations;
    }

    /** Sorts the indexes of draws by a time. Boxing ten million of them would take gigabytes. */
    private int[] sortedBy(long[] times) {
        long first = Arrays.stream(times, 0, size).min().orElse(0);
        long last = Arrays.stream(times, 0, size).max().orElse(0);
        int bits = 64 - Long.numberOfLeadingZeros(Math.max(1, size - 1L));
        int shift = Math.max(0, 64 - Long.numberOfLeadingZeros(Math.max(1, last - first)) + bits - 63);
        long[] keys = new long[size];
        for (int i = 0; i < size; i++) {
            keys[i] = (((times[i] - first) >>> shift) << bits) | i;
        }
        Arrays.sort(keys);
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = (int) (keys[i] & ((1L << bits) - 1));
        }
        return order;
    }
}
