// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * How numbers are drawn outside the caller's transaction: one record per mode. All deal unique values; what else each
 * promises stands on it. <em>Ordered</em> means over all instances and processes: if one draw returned before another
 * began, its value is lower (higher, counting down). None is gapless: a value whose user fails is missing.
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface Allocation {

    /** In place of a block size: what the sequence's own {@code cache} says, at every refill anew. */
    long CACHE = 0;

    /** Whether it promises order over all instances and processes. */
    default boolean ordered() {
        return false;
    }

    /** Ordered: a transaction per value, up to 16 of them at a time. */
    static Allocation async() {
        return new Async();
    }

    /** Ordered: callers that wait at the same time share the next reservation. */
    static Allocation combined() {
        return new Combined();
    }

    /** A block per instance, as large as the sequence's {@code cache}, refilled when it is used up. */
    static Allocation batch() {
        return new Batch(CACHE);
    }

    /** A block of {@code size} values per instance, refilled when it is used up. */
    static Allocation batch(long size) {
        return new Batch(size);
    }

    /** A block of {@code size} values per instance; the next is fetched when {@code lowWaterMark} values are left. */
    static Allocation asyncBatch(long size, long lowWaterMark) {
        return new AsyncBatch(size, lowWaterMark);
    }

    /** Blocks whose size and low-water mark follow the measured rate and latency. The mode to begin with. */
    static Allocation adaptive() {
        return new Adaptive(Adaptive.DEFAULT_MIN_BLOCK, Adaptive.DEFAULT_MAX_BLOCK, Adaptive.DEFAULT_MAX_AHEAD);
    }

    /** As {@link #adaptive()}, with blocks between {@code minBlock} and {@code maxBlock} values. */
    static Allocation adaptive(long minBlock, long maxBlock) {
        return new Adaptive(minBlock, maxBlock, Adaptive.DEFAULT_MAX_AHEAD);
    }

    /** A transaction per value. Unique and ordered; at most 1 / reservation latency, where the row is the bottleneck. */
    record Async() implements Allocation {

        @Override
        public boolean ordered() {
            return true;
        }
    }

    /**
     * Callers that wait at the same time share the next reservation, never one that has been sent: joining one in flight
     * would break the order over processes. Unique and ordered; waiting callers / reservation latency.
     */
    record Combined() implements Allocation {
        @Override
        public boolean ordered() {
            return true;
        }
    }

    /**
     * A block per instance, refilled when it is used up.
     *
     * @param size values per block, or {@link #CACHE}
     */
    record Batch(long size) implements Allocation {
        /**
         * Checks the size.
         *
         * @throws SequenceException.Misconfigured when it is negative
         */
        public Batch {
            checkSize(size);
        }
    }

    /**
     * As {@link Batch}, and the next block is fetched in the background when the values left come down to the low-water
     * mark. Nobody waits while the mark exceeds rate × reservation latency.
     *
     * @param size values per block, or {@link #CACHE}
     * @param lowWaterMark values left at which the next block is fetched, at least 1
     */
    record AsyncBatch(long size, long lowWaterMark) implements Allocation {
        /**
         * Checks size and mark.
         *
         * @throws SequenceException.Misconfigured when the size is negative, or the mark below 1 or above the size
         */
        public AsyncBatch {
            checkSize(size);
            if (lowWaterMark < 1 || (size != CACHE && lowWaterMark > size)) {
                throw new SequenceException.Misconfigured(
                        "low-water mark " + lowWaterMark + " must be between 1 and the block size "
                                + (size == CACHE ? "(the sequence's cache)" : String.valueOf(size)));
            }
        }
    }

    /**
     * As {@link AsyncBatch}, with block size and mark that follow the measured consumption and reservation latency between
     * bounds. Begins with a block of the sequence's {@code cache}; shrinks back when idle, so that a crash loses little.
     *
     * @param minBlock the smallest block, at least 1
     * @param maxBlock the largest block
     * @param maxAhead how many blocks may be fetched ahead when one is not enough, at least 1
     */
    record Adaptive(long minBlock, long maxBlock, int maxAhead) implements Allocation {
        /** The smallest block, unless said otherwise. */
        public static final long DEFAULT_MIN_BLOCK = 10;
        /** The largest block, unless said otherwise. */
        public static final long DEFAULT_MAX_BLOCK = 1_000_000;
        /** Blocks ahead, unless said otherwise. */
        public static final int DEFAULT_MAX_AHEAD = 4;

        /**
         * Checks the bounds.
         *
         * @throws SequenceException.Misconfigured when they are out of order
         */
        public Adaptive {
            if (minBlock < 1 || maxBlock < minBlock) {
                throw new SequenceException.Misconfigured(
                        "block bounds " + minBlock + " … " + maxBlock + " must be at least 1 and in order");
            }
            if (maxAhead < 1) {
                throw new SequenceException.Misconfigured("blocks ahead must be at least 1, not " + maxAhead);
            }
        }
    }

    private static void checkSize(long size) {
        if (size < 0) {
            throw new SequenceException.Misconfigured("block size must be at least 1, not " + size);
        }
    }
}
