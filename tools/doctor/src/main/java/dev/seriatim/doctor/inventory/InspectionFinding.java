// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.report.Finding.Level;
import java.util.Locale;
import java.util.Optional;

/**
 * A fault, or something worth knowing.
 *
 * @param about the {@link ColumnPath} or {@link ObjectName} that it is about, or the name of another thing
 * @param what the cause and its consequence, in one line, without the subject
 * @param remedy what mends it; empty if nothing has to be
 */
public record InspectionFinding(Fault fault, Object about, String what, Optional<Remedy> remedy) {

    /** The faults, as docs/doctor.md explains them: errors if inserts fail or numbers repeat, warnings if they will. */
    public enum Fault {
        BEHIND(Level.ERROR),
        BROKEN_ROW(Level.ERROR),
        COLLIDES(Level.WARNING),
        EXHAUSTED(Level.ERROR),
        MISSING_SEQUENCE(Level.ERROR),
        /** Most of a sequence's own range is used. */
        RUNNING_OUT(Level.WARNING),
        /** Most of what the column's type holds is used; the sequence would go on. */
        TYPE_RUNNING_OUT(Level.WARNING),
        BEYOND_EXACT_DOUBLES(Level.WARNING),
        CYCLES(Level.ERROR),
        CACHE_REORDERS(Level.WARNING),
        CACHE_LOSES(Level.WARNING),
        INCREMENT_BESIDE_HIBERNATE(Level.WARNING),
        UNOWNED(Level.WARNING),
        DEFINED_TWICE(Level.ERROR),
        /** Numbers that were deleted are generated again. */
        REUSES(Level.WARNING),
        NOT_GENERATED(Level.WARNING),
        LOSES_COMMITS(Level.ERROR),
        /** A number is generated again after a restart or a crash. */
        REPEATS(Level.ERROR),
        STANDBY_LAGS(Level.WARNING),
        NOT_REPLICATED(Level.WARNING),
        TWO_MASTERS(Level.WARNING),
        MAYBE_BEHIND(Level.NOTE),
        NOTE(Level.NOTE);

        private final Level level;

        Fault(Level level) {
            this.level = level;
        }

        public Level level() {
            return level;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        public InspectionFinding of(Object subject, String what, Remedy remedy) {
            return new InspectionFinding(this, subject, what, Optional.of(remedy));
        }

        /** Returns a finding that a statement cannot mend. */
        public InspectionFinding of(Object subject, String what, String advice) {
            return of(subject, what, Remedy.advice(advice));
        }
    }

    /** Returns the finding of a row of our table that is no sequence. */
    public static InspectionFinding broken(String name, Misconfigured why) {
        return Fault.BROKEN_ROW.of(
                name.isEmpty() ? "''" : name, String.valueOf(why.getMessage()), "correct the row, or delete it");
    }

    public static InspectionFinding note(Object about, String what) {
        return new InspectionFinding(Fault.NOTE, about, what, Optional.empty());
    }

    public String subject() {
        return about.toString();
    }

    /** Returns the column, or the table or sequence; names that it does not have are empty. */
    public ColumnPath place() {
        return about instanceof ColumnPath column
                ? column
                : new ColumnPath(about instanceof ObjectName object ? object : new ObjectName("", ""), "");
    }
}
