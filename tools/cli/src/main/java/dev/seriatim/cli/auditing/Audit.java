// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.SequenceState;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Compares a column with its sequence as its numbers are read, in constant memory. Not thread-safe. */
final class Audit implements ColumnScanner.Visitor {

    private final NumberColumn column;
    private final Dealt dealt;
    private final FindingTally tally;
    private final AtomicLong passed;
    private final NumberCheck numbers;
    private final TimeOrderCheck order;
    private LaidOut pool;
    private long withoutNumber;

    /** Counts the numbers it has checked in {@code passed}, for other threads. */
    Audit(NumberColumn column, Dealt dealt, FindingTally tally, AtomicLong passed) {
        this.column = column;
        this.dealt = dealt;
        this.tally = tally;
        this.passed = passed;
        pool = LaidOut.nothing(dealt.grid());
        numbers = new NumberCheck(dealt, tally::add);
        order = new TimeOrderCheck(dealt.grid(), tally::add);
    }

    /**
     * Returns the numbers to compare a column with.
     *
     * @throws Misconfigured if the sequence cycles
     */
    static Dealt dealt(SequenceState state, NumberColumn column) {
        SequenceDefinition definition = state.definition();
        if (definition.cycle()) {
            throw new Misconfigured(definition.name(), """
                    it cycles, so duplicates and numbers beyond its counter are not faults; audit a sequence that does \
                    not cycle""");
        }
        return Dealt.by(state, column.from().orElse(definition.start()));
    }

    @Override
    public void laidOut(List<Block> runs) {
        pool = new LaidOut(dealt.grid(), runs);
        numbers.laidOut(pool);
    }

    @Override
    public void withoutNumber(long rows) {
        withoutNumber = rows;
    }

    @Override
    public void number(long number) {
        numbers.number(number);
        passed.setOpaque(passed.getPlain() + 1);
    }

    @Override
    public void inTime(long number, Supplier<String> time) {
        order.number(number, time);
        passed.setOpaque(passed.getPlain() + 1);
    }

    /** Call after the last number: reports the last findings and returns the result. */
    AuditResult end() {
        numbers.end();
        return new AuditResult(
                dealt,
                tally,
                numbers.rows(),
                withoutNumber,
                column.time().isPresent() ? OptionalLong.of(numbers.rows() - order.rows()) : OptionalLong.empty(),
                numbers.all(),
                pool.all(),
                numbers.undealt(),
                numbers.missingAtEnd());
    }

    /** Finds lower numbers at later times, in constant memory. Not thread-safe. */
    static final class TimeOrderCheck {

        private final Grid grid;
        private final Consumer<AuditFinding> found;
        private long previous;
        private long rows;

        TimeOrderCheck(Grid grid, Consumer<AuditFinding> found) {
            this.grid = grid;
            this.found = found;
        }

        /** Takes the next number by time; those of the same time must come in the direction of the sequence. */
        void number(long number, Supplier<String> time) {
            if (rows > 0 && grid.before(number, previous)) {
                found.accept(new AuditFinding.OutOfOrder(number, previous, time.get()));
            }
            previous = number;
            rows++;
        }

        long rows() {
            return rows;
        }
    }
}
