// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

import dev.seriatim.cli.draw.DrawMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found of one mode. Immutable.
 *
 * @param mode the mode
 * @param numbers how many numbers callers have got
 * @param unsure how many are in transactions whose commit has an unknown outcome
 * @param failed how many draws failed, as they may while a fault lasts
 * @param committed how many rows are committed in its ledger; null if it has none, or they were not counted
 * @param looks how often the ledger was looked at while others drew
 * @param next the number that the store deals next; null if that was not read
 * @param violations the promises that were broken; empty if all were kept
 */
public record ModeVerdict(
        DrawMode mode,
        long numbers,
        long unsure,
        long failed,
        @Nullable Long committed,
        long looks,
        @Nullable Long next,
        List<Violation> violations) {

    /** Copies the violations. */
    public ModeVerdict {
        violations = List.copyOf(violations);
    }

    /** Returns how often a promise was broken. */
    public long broken() {
        return violations.stream().mapToLong(Violation::count).sum();
    }
}
