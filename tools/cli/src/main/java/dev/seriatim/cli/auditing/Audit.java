// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.Block;
import dev.seriatim.cli.auditing.AuditFinding.Kind;
import dev.seriatim.store.ColumnScanner;
import java.math.BigInteger;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Compares a column with its sequence as its numbers are read. Counts all faults, and reports the first ones of each kind as
 * soon as they are known. Needs constant memory, and that of the pool. Not thread-safe.
 */
final class Audit implements ColumnScanner.Visitor {

    /** Prints an audit while it runs. Not thread-safe. */
    interface Report {
        /** Called for each finding as soon as it is known. */
        void found(AuditFinding finding);

        /** Called last. */
        void end(Audit audit);
    }

    final Dealt dealt;

    final NumberRange.Collector all = new NumberRange.Collector();

    /** The present numbers that are beyond the counter or in the pool: the sequence will deal them again. */
    final NumberRange.Collector undealt = new NumberRange.Collector();

    LaidOut pool;
    long withoutNumber;

    long rows;

    /** The number of rows with a number and a time. */
    long rowsInTime;

    private final long limit;
    private final Report report;
    private final AtomicLong passed;
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final Map<Kind, BigInteger> amounts = new EnumMap<>(Kind.class);
    private final NumberRange.Collector strays = new NumberRange.Collector();
    private long current;
    private long rowsOfCurrent;
    private boolean begun;
    /** The place of the last dealt number that is present; valid once begun. */
    private long reached;

    private long previousInTime;

    /** Reports up to a limit of faults of each kind; counts the checked numbers in {@code passed}, for other threads. */
    Audit(Dealt dealt, long limit, Report report, AtomicLong passed) {
        this.dealt = dealt;
        this.limit = limit;
        this.report = report;
        this.passed = passed;
        pool = new LaidOut(dealt, List.of());
    }

    @Override
    public void laidOut(List<Block> runs) {
        pool = new LaidOut(dealt, runs);
    }

    @Override
    public void withoutNumber(long number) {
        withoutNumber = number;
    }

    @Override
    public void number(long number) {
        if (rows > 0 && dealt.before(number, current)) {
            throw new IllegalStateException("the store sorted " + number + " after " + current);
        }
        if (rows > 0 && number == current) {
            rowsOfCurrent++;
        } else {
            endOfCurrent();
            current = number;
            rowsOfCurrent = 1;
            other(number);
        }
        rows++;
        passed.setOpaque(passed.getPlain() + 1);
    }

    private void other(long number) {
        all.add(number);
        boolean isDealt = dealt.passed(number);
        if (!isDealt || pool.holds(number)) {
            undealt.add(number);
        }
        if (!isDealt) {
            return;
        }
        if (number == dealt.number(afterReached())) { // the usual case; the others need divisions
            reach(afterReached());
        } else if (dealt.holds(number)) {
            reach(dealt.place(number));
        } else {
            strays.add(number);
        }
    }

    private void reach(long place) {
        endOfStrays();
        if (place != afterReached()) {
            pool.others(afterReached(), place - 1).forEach(range -> add(Kind.GAP, range));
        }
        begun = true;
        reached = place;
    }

    private long afterReached() {
        return begun ? reached + 1 : 0;
    }

    /** Takes a number by time. Those of the same time come in the direction of the sequence. */
    @Override
    public void inTime(long number, Supplier<String> time) {
        if (rowsInTime > 0 && dealt.before(number, previousInTime)) {
            long after = previousInTime;
            add(Kind.OUT_OF_ORDER, BigInteger.ONE, () -> AuditFinding.outOfOrder(number, after, time.get()));
        }
        previousInTime = number;
        rowsInTime++;
        passed.setOpaque(passed.getPlain() + 1);
    }

    /** Call after the last number: reports the last findings and the end. */
    void end() {
        endOfCurrent();
        endOfStrays();
        report.end(this);
    }

    private void endOfCurrent() {
        if (rowsOfCurrent > 1) {
            BigInteger surplus = BigInteger.valueOf(rowsOfCurrent - 1);
            add(Kind.DUPLICATE, surplus, () -> AuditFinding.duplicate(current, rowsOfCurrent));
        }
    }

    private void endOfStrays() {
        strays.end().ifPresent(range -> add(Kind.STRAY, range));
    }

    private void add(Kind kind, NumberRange range) {
        add(kind, range.count(), () -> AuditFinding.numbers(kind, range));
    }

    private void add(Kind kind, BigInteger amount, Supplier<AuditFinding> finding) {
        amounts.merge(kind, amount, BigInteger::add);
        if (counts.merge(kind, 1L, Long::sum) <= limit) {
            report.found(finding.get());
        }
    }

    long count(Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** Returns the number of missing numbers, or of wrong rows, of a kind. */
    BigInteger amount(Kind kind) {
        return amounts.getOrDefault(kind, BigInteger.ZERO);
    }

    /** Returns whether some faults of a kind were not reported. */
    boolean withheld(Kind kind) {
        return count(kind) > limit;
    }

    /** Returns the numbers that were dealt after the last present one, without those in the pool. */
    Optional<NumberRange> missingAtEnd() {
        OptionalLong last = dealt.lastPlace();
        if (last.isEmpty() || (begun && last.getAsLong() == reached)) {
            return Optional.empty();
        }
        return pool.others(afterReached(), last.getAsLong()).stream().reduce(NumberRange::and);
    }
}
