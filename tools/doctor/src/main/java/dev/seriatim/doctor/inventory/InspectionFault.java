// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.report.Finding.Level;
import java.util.Locale;

/** The faults of what generates numbers: errors if inserts fail or numbers repeat, warnings if they will. */
public enum InspectionFault {
    /** What is generated next is in the column already. */
    BEHIND(Level.ERROR),
    /** No value is left. */
    EXHAUSTED(Level.ERROR),
    /** Most of a sequence's own range is used. */
    RUNNING_OUT(Level.WARNING),
    /** Most of what the column's type holds is used; the sequence would go on. */
    TYPE_RUNNING_OUT(Level.WARNING),
    /** Beyond, or close to, 2^53, from which on JavaScript and JSON clients round. */
    BEYOND_EXACT_DOUBLES(Level.WARNING),
    /** The sequence begins again at its end, and repeats what a column holds. */
    CYCLES(Level.ERROR),
    /** Sessions deal from caches, so that later inserts get lower numbers, and lose them when they end. */
    CACHE_REORDERS(Level.WARNING),
    /** A restart loses many values. */
    CACHE_LOSES(Level.WARNING),
    /** An increment that only Hibernate's optimizers understand. */
    INCREMENT_BESIDE_HIBERNATE(Level.WARNING),
    /** A column draws from a sequence that does not belong to it. */
    UNOWNED(Level.WARNING),
    /** Two generators for one column. */
    DEFINED_TWICE(Level.ERROR),
    /** Numbers that were deleted are generated again. */
    REUSES(Level.WARNING),
    /** A key that looks generated, and is not. */
    NOT_GENERATED(Level.WARNING),
    /** A setting, or a table's kind, loses acknowledged commits. */
    LOSES_COMMITS(Level.ERROR),
    /** A setting, or the engine's version, generates a number again after a restart or a crash. */
    REPEATS(Level.ERROR),
    /** A failover to a standby loses acknowledged commits. */
    STANDBY_LAGS(Level.WARNING),
    /** Logical replication copies rows, not the sequence. */
    NOT_REPLICATED(Level.WARNING),
    /** Worth knowing; not a fault. */
    NOTE(Level.NOTE);

    private final Level level;

    InspectionFault(Level level) {
        this.level = level;
    }

    public Level level() {
        return level;
    }

    /** Returns the name in output: in lower case, with hyphens. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
