// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.model;

import dev.seriatim.GroupedSequence;

/** The modes of the library, and what each could reach at best. Immutable. */
public enum Mode {
    /** Drawn inside the caller's transaction: those of one sequence go one after another. */
    SYNC(Promise.GAPLESS, Supply.ONE_BY_ONE) {
        @Override
        public double limitPerSecond(int callers, double reservation, double work) {
            return 1 / (reservation + work);
        }
    },

    /** Callers' work one after another in one transaction, with one commit for all. */
    GROUPED(Promise.GAPLESS, Supply.ONE_BY_ONE) {
        @Override
        public double limitPerSecond(int callers, double reservation, double work) {
            int together = Math.min(callers, GroupedSequence.MOST_UNITS);
            return together / (reservation + together * work);
        }
    },

    /** Claimed, inside the caller's transaction, from numbers that are laid out ahead. */
    POOLED(Promise.GAPLESS_UNORDERED, Supply.BLOCKS_AHEAD) {
        @Override
        public double limitPerSecond(int callers, double reservation, double work) {
            return callers / (reservation + work);
        }
    },

    /** A transaction per value, one after another on the row. */
    ASYNC(Promise.ORDERED, Supply.ONE_BY_ONE) {
        @Override
        public double limitPerSecond(int callers, double reservation, double work) {
            return Math.min(1 / reservation, callers / (reservation + work));
        }
    },

    /** Callers that wait at the same time share a reservation. */
    COMBINED(Promise.ORDERED, Supply.ONE_BY_ONE) {
        @Override
        public double limitPerSecond(int callers, double reservation, double work) {
            return callers / (reservation + work);
        }
    },

    /** A block per instance. */
    BATCH(Promise.UNIQUE, Supply.SIZED_BLOCKS),

    /** A block per instance, the next one fetched ahead. */
    ASYNC_BATCH(Promise.UNIQUE, Supply.SIZED_BLOCKS_AHEAD),

    /** As ASYNC_BATCH, with size and mark that follow what is measured. */
    ADAPTIVE(Promise.UNIQUE, Supply.BLOCKS_AHEAD);

    private enum Supply {
        ONE_BY_ONE,
        SIZED_BLOCKS,
        SIZED_BLOCKS_AHEAD,
        BLOCKS_AHEAD
    }

    private final Promise promise;
    private final Supply supply;

    Mode(Promise promise, Supply supply) {
        this.promise = promise;
        this.supply = supply;
    }

    /** What it promises of its numbers. */
    public Promise promise() {
        return promise;
    }

    /**
     * Values per second that one instance could reach at best, perhaps infinite; for modes that deal from memory, what the
     * callers' own work leaves room for.
     *
     * @param callers how many draw, work, and draw again
     * @param reservation seconds that a reservation keeps the row
     * @param work seconds that a caller works between draws, in SYNC, GROUPED and POOLED inside the transaction
     */
    public double limitPerSecond(int callers, double reservation, double work) {
        return callers / work;
    }

    /** Whether a block size can be chosen. */
    public boolean hasBatchSize() {
        return supply == Supply.SIZED_BLOCKS || supply == Supply.SIZED_BLOCKS_AHEAD;
    }

    /** Whether a low-water mark can be chosen. */
    public boolean hasLowWaterMark() {
        return supply == Supply.SIZED_BLOCKS_AHEAD;
    }

    /** Whether more is reserved than is used at once. */
    public boolean dealsFromBlocks() {
        return supply != Supply.ONE_BY_ONE;
    }

    /** Whether most draws touch no store. */
    public boolean dealsFromMemory() {
        return this == ADAPTIVE || hasBatchSize();
    }
}
