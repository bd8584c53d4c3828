// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.check.OrderCheck;
import dev.seriatim.check.ValueSet;
import dev.seriatim.report.Table;
import dev.seriatim.verify.Violation.Kind;
import dev.seriatim.verify.worker.FeedProgram;
import dev.seriatim.verify.worker.FeedProgram.Report;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** What writers have committed and the poller has seen, and its comparison with the table. Thread-safe. */
final class FeedLog {

    private static final int MOST_EXAMPLES = 5;

    private final long origin;
    private final List<Commit> commits = new ArrayList<>();
    private final Map<String, Long> failures = new HashMap<>();
    private final List<String> lasting = new ArrayList<>();
    private long[] seen = new long[1 << 12];
    private int end;
    private long rows;
    private long unknown;
    private boolean broken;

    /** @param origin the {@link System#nanoTime} that times in examples count from */
    FeedLog(long origin) {
        this.origin = origin;
    }

    /** A commit that has returned, and the positions of its rows. */
    private static final class Commit {
        private final long first;
        private final long rows;
        private final long sent;
        private final long returned;
        private long read;
        private long lowest;
        private long highest;

        Commit(List<Long> values) {
            first = values.get(0);
            rows = values.get(1);
            sent = values.get(2);
            returned = values.get(3);
        }

        LongStream keys() {
            return LongStream.range(first, first + rows);
        }

        void take(long key, long position) {
            if (key < first + rows) {
                lowest = read == 0 ? position : Math.min(lowest, position);
                highest = Math.max(highest, position);
                read++;
            }
        }
    }

    /**
     * What a reader has read, compared with the committed rows.
     *
     * @param entries positions that it has read
     * @param outOfOrder commits that stand before another one that had returned earlier
     * @param gaps positions that are missing, or belong to rows that are not committed
     */
    record Reading(
            String reader,
            long entries,
            long rows,
            long lost,
            long twice,
            long outOfOrder,
            long gaps,
            List<Violation> violations) {

        static Table<Reading> table(List<Reading> readings) {
            return new Table<>("readers", "Readers", readings)
                    .column("reader", "reader", Reading::reader)
                    .column("entries", "entries", Reading::entries)
                    .column("rows", "rows", Reading::rows)
                    .column("lost", "lost", Reading::lost)
                    .column("twice", "twice", Reading::twice)
                    .column("out_of_order", "out of order", Reading::outOfOrder)
                    .column("gaps", "gaps", Reading::gaps)
                    .column("violations", "", Reading::violations);
        }
    }

    synchronized void take(Report report) {
        switch (report.kind()) {
            case WROTE -> {
                commits.add(new Commit(report.values()));
                rows += report.values().get(1);
            }
            case SAW -> saw(report.values());
            case UNKNOWN -> unknown++;
            case FAILED -> failures.merge(report.reason(), 1L, Long::sum);
            case LASTING -> lasting.add(report.reason());
            case BEGUN, ENDED -> {}
        }
    }

    private void saw(List<Long> entries) {
        if (end + entries.size() > seen.length) {
            seen = Arrays.copyOf(seen, 2 * seen.length);
        }
        for (int i = 0; i < entries.size(); i += 2) {
            broken |= entries.get(i) != last() + 1;
            seen[end++] = entries.get(i);
            seen[end++] = entries.get(i + 1);
        }
    }

    /** Returns the last position that the poller has seen. */
    synchronized long last() {
        return end == 0 ? 0 : seen[end - 2];
    }

    /** Returns the positions and keys that the poller has seen. */
    synchronized long[] seen() {
        return Arrays.copyOf(seen, end);
    }

    /** Returns the number of rows whose commit has returned. */
    synchronized long rows() {
        return rows;
    }

    synchronized long unknown() {
        return unknown;
    }

    synchronized Map<String, Long> failures() {
        return Map.copyOf(failures);
    }

    /** Returns the failures that an unavailable server does not explain. */
    synchronized List<String> lasting() {
        return List.copyOf(lasting);
    }

    /** Returns whether the poller has missed a position or seen one again, or a call has failed for a reason of its own. */
    synchronized boolean isBroken() {
        return broken || !lasting.isEmpty();
    }

    /**
     * Compares what a reader has read with the table, after the last commit.
     *
     * @param read positions and keys, in the order of the positions
     * @param stored the keys in the table
     * @param gapless whether positions count 1, 2, 3, …
     */
    synchronized Reading compare(String reader, long[] read, long[] stored, boolean gapless) {
        ValueSet committed = new ValueSet();
        Arrays.stream(stored).forEach(committed::add);
        TreeMap<Long, Commit> byKey = new TreeMap<>();
        for (Commit commit : commits) {
            commit.read = 0;
            commit.highest = 0;
            commit.keys().forEach(committed::add);
            byKey.put(commit.first, commit);
        }
        ValueSet keys = new ValueSet();
        List<String> again = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        long twice = 0;
        long gaps = 0;
        long last = 0;
        for (int i = 0; i < read.length; i += 2) {
            long position = read[i];
            long key = read[i + 1];
            if (keys.add(key) || position <= last) {
                twice++;
                example(again, key, position);
            } else if (!committed.contains(key) || (gapless && position != last + 1)) {
                gaps += committed.contains(key) ? position - last - 1 : 1;
                example(wrong, key, position);
            }
            last = Math.max(last, position);
            Map.Entry<Long, Commit> commit = byKey.floorEntry(key);
            if (commit != null) {
                commit.getValue().take(key, position);
            }
        }
        long[] lost = LongStream.concat(commits.stream().flatMapToLong(Commit::keys), Arrays.stream(stored))
                .filter(key -> !keys.contains(key))
                .distinct()
                .toArray();
        OrderCheck order = order();
        List<Violation> found = new ArrayList<>();
        List<String> examples =
                Arrays.stream(lost).limit(MOST_EXAMPLES).mapToObj(FeedLog::row).toList();
        add(found, Kind.LOST, lost.length, examples);
        add(found, Kind.TWICE, twice, again);
        add(found, Kind.OUT_OF_ORDER, order.violations(), order.examples());
        add(found, Kind.GAP, gaps, wrong);
        return new Reading(
                reader, read.length / 2, committed.size(), lost.length, twice, order.violations(), gaps, found);
    }

    /** A commit that had returned before another one was sent has the lower positions. */
    private OrderCheck order() {
        OrderCheck order = new OrderCheck(origin);
        Map<String, OrderCheck.Lane> lanes = new HashMap<>();
        for (Commit commit : commits) {
            lanes.computeIfAbsent(FeedProgram.writer(commit.first), name -> order.open(name, Long.MIN_VALUE));
        }
        for (Commit commit : commits) {
            if (commit.read == commit.rows) {
                OrderCheck.Lane lane = Objects.requireNonNull(lanes.get(FeedProgram.writer(commit.first)));
                lane.drewOneOfSeveral(commit.sent, commit.returned, commit.lowest, commit.highest - commit.lowest + 1);
            }
        }
        lanes.values().forEach(OrderCheck.Lane::close);
        return order;
    }

    private static String row(long key) {
        return "row " + key + " of " + FeedProgram.writer(key);
    }

    private static void example(List<String> examples, long key, long position) {
        if (examples.size() < MOST_EXAMPLES) {
            examples.add(row(key) + " at position " + position);
        }
    }

    private static void add(List<Violation> found, Kind kind, long count, List<String> examples) {
        if (count > 0) {
            found.add(new Violation(kind, count, examples));
        }
    }
}
