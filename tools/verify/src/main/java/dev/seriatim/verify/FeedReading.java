// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.check.OrderCheck;
import dev.seriatim.check.ValueSet;
import dev.seriatim.report.Table;
import dev.seriatim.verify.Violation.Kind;
import dev.seriatim.verify.worker.FeedRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** What a reader has read, compared with the committed rows. Its entries are the positions that it has read. Immutable. */
record FeedReading(String reader, long entries, long rows, List<Violation> violations) {

    private static final int MOST_EXAMPLES = 5;

    /** A commit that has returned; its keys follow the first one by one. */
    record Commit(long sent, long returned, long first, long rows) {

        private LongStream keys() {
            return LongStream.range(first, first + rows);
        }
    }

    /**
     * Compares what a reader has read with the table, after the last commit.
     *
     * @param read positions and keys, in the order of the positions
     * @param stored the keys in the table
     * @param gapless whether positions count 1, 2, 3, …
     */
    static FeedReading of(String reader, long[] read, long[] stored, List<Commit> commits, boolean gapless) {
        ValueSet committed = new ValueSet();
        Arrays.stream(stored).forEach(committed::add);
        commits.forEach(commit -> commit.keys().forEach(committed::add));
        Map<Long, Long> positions = new HashMap<>();
        List<String> again = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        long gaps = 0;
        long last = 0;
        for (int i = 0; i < read.length; i += 2) {
            long position = read[i];
            long key = read[i + 1];
            if (positions.putIfAbsent(key, position) != null || position <= last) {
                again.add(row(key) + " at position " + position);
            } else if (!committed.contains(key) || (gapless && position != last + 1)) {
                gaps += committed.contains(key) ? position - last - 1 : 1;
                wrong.add(row(key) + " at position " + position);
            }
            last = Math.max(last, position);
        }
        List<String> lost = LongStream.concat(commits.stream().flatMapToLong(Commit::keys), Arrays.stream(stored))
                .filter(key -> !positions.containsKey(key))
                .distinct()
                .mapToObj(FeedReading::row)
                .toList();
        OrderCheck order = order(commits, positions);
        List<Violation> found = new ArrayList<>();
        add(found, Kind.LOST, lost.size(), lost);
        add(found, Kind.TWICE, again.size(), again);
        add(found, Kind.OUT_OF_ORDER, order.violations(), order.examples());
        add(found, Kind.GAP, gaps, wrong);
        return new FeedReading(reader, read.length / 2, committed.size(), found);
    }

    long count(Kind kind) {
        return violations.stream()
                .filter(violation -> violation.kind() == kind)
                .mapToLong(Violation::count)
                .sum();
    }

    private static String row(long key) {
        return "row " + key;
    }

    private static OrderCheck order(List<Commit> commits, Map<Long, Long> positions) {
        OrderCheck order = new OrderCheck(0);
        Map<Long, OrderCheck.Lane> lanes = new HashMap<>();
        commits.forEach(commit -> lanes.computeIfAbsent(
                FeedRole.writer(commit.first), writer -> order.open("writer " + writer, Long.MIN_VALUE)));
        for (Commit commit : commits) {
            LongSummaryStatistics of = commit.keys()
                    .mapToObj(positions::get)
                    .filter(Objects::nonNull)
                    .collect(Collectors.summarizingLong(Long::longValue));
            if (of.getCount() == commit.rows) {
                Objects.requireNonNull(lanes.get(FeedRole.writer(commit.first)))
                        .drewOneOfSeveral(commit.sent, commit.returned, of.getMin(), of.getMax() - of.getMin() + 1);
            }
        }
        lanes.values().forEach(OrderCheck.Lane::close);
        return order;
    }

    private static void add(List<Violation> found, Kind kind, long count, List<String> examples) {
        if (count > 0) {
            found.add(new Violation(
                    kind, count, examples.stream().limit(MOST_EXAMPLES).toList()));
        }
    }

    static Table<FeedReading> table(List<FeedReading> readings) {
        return new Table<>("readers", "Readers", readings)
                .column("reader", "reader", FeedReading::reader)
                .column("entries", "entries", FeedReading::entries)
                .column("rows", "rows", FeedReading::rows)
                .column("lost", "lost", reading -> reading.count(Kind.LOST))
                .column("twice", "twice", reading -> reading.count(Kind.TWICE))
                .column("out_of_order", "out of order", reading -> reading.count(Kind.OUT_OF_ORDER))
                .column("gaps", "gaps", reading -> reading.count(Kind.GAP))
                .column("violations", "", FeedReading::violations);
    }
}
