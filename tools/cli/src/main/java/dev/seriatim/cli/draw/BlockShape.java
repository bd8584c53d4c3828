// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.Allocation;
import dev.seriatim.cli.terminal.WholeNumber.Positive;
import dev.seriatim.store.SequenceCatalog;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the blocks of the batch modes. Not thread-safe. */
final class BlockShape {

    private static final long MARKS_PER_BLOCK = 4;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            converter = Positive.class,
            completionCandidates = ModeNames.WithBatchSize.class,
            description = "Values per block, for ${COMPLETION-CANDIDATES}. Default: the sequence's cache.")
    private @Nullable Long size;

    @Option(
            names = "--low-water-mark",
            paramLabel = "N",
            converter = Positive.class,
            completionCandidates = ModeNames.WithLowWaterMark.class,
            description = """
                    Number of remaining values at which the next block is fetched, for ${COMPLETION-CANDIDATES}. \
                    Default: a quarter of the block.""")
    private @Nullable Long mark;

    /** Returns the error in the options for a mode; empty if there is none. */
    String wrongFor(@Nullable DrawMode mode) {
        if (size != null && (mode == null || !mode.hasBatchSize())) {
            return ModeNames.goesWith("--batch-size", DrawMode::hasBatchSize);
        }
        if (mark != null && (mode == null || !mode.hasLowWaterMark())) {
            return ModeNames.goesWith("--low-water-mark", DrawMode::hasLowWaterMark);
        }
        if (size != null && mark != null && mark > size) {
            return "--low-water-mark " + mark + " exceeds --batch-size " + size;
        }
        return "";
    }

    /** Returns a mode's allocation. Reads the sequence's cache only if the mark depends on it. */
    Allocation allocation(DrawMode mode, SequenceCatalog catalog, String name) {
        long block = size == null ? Allocation.CACHE : size;
        if (mark != null || !mode.hasLowWaterMark()) {
            return mode.allocation(block, mark == null ? 1 : mark);
        }
        long values = size == null ? catalog.describe(name).definition().cache() : size;
        return mode.allocation(block, Math.max(1, values / MARKS_PER_BLOCK));
    }
}
