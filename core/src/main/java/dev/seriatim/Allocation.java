// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import dev.seriatim.internal.Messages;

/**
 * The mode in which a {@link Sequence} draws numbers outside the caller's transaction: one record per mode. All modes
 * return unique values; each record documents what else it guarantees. <em>Ordered</em> means across all instances and
 * processes: if one draw returns before another begins, its value is lower (higher if the sequence counts down). No
 * mode is gapless: a value is missing if the caller that drew it fails. Immutable and thread-safe.
 */
public sealed interface Allocation {

    /** A block size that means the sequence's {@code cache} at each refill. */
    long CACHE = 0;

    /** Returns whether values are ordered across all instances and processes. */
    default boolean ordered() {
        return this instanceof Async || this instanceof Combined || this instanceof Confirmed;
    }

    /** Ordered: one transaction per value, at most 16 at a time. */
    static Allocation async() {
        return new Async();
    }

    /** Ordered: callers waiting at the same time share the next reservation. */
    static Allocation combined() {
        return new Combined();
    }

    /** Ordered: deals reserved values after a read confirms that no other session has reserved since. */
    static Allocation confirmed() {
        return new Confirmed(Confirmed.DEFAULT_MAX_BLOCK);
    }

    /** Like {@link #confirmed()}, reserving at most {@code maxBlock} values ahead. */
    static Allocation confirmed(long maxBlock) {
        return new Confirmed(maxBlock);
    }

    /** One block per instance, sized by the sequence's {@code cache} and refilled when empty. */
    static Allocation batch() {
        return new Batch(CACHE);
    }

    /** One block of {@code size} values per instance, refilled when empty. */
    static Allocation batch(long size) {
        return new Batch(size);
    }

    /** One block of {@code size} values per instance; the next is fetched when {@code lowWaterMark} values are left. */
    static Allocation asyncBatch(long size, long lowWaterMark) {
        return new AsyncBatch(size, lowWaterMark);
    }

    /** Blocks whose size and low-water mark adapt to the measured rate and latency. A good default. */
    static Allocation adaptive() {
        return new Adaptive(Adaptive.DEFAULT_MIN_BLOCK, Adaptive.DEFAULT_MAX_BLOCK, Adaptive.DEFAULT_MAX_AHEAD);
    }

    /** Like {@link #adaptive()}, with blocks of {@code minBlock} to {@code maxBlock} values. */
    static Allocation adaptive(long minBlock, long maxBlock) {
        return new Adaptive(minBlock, maxBlock, Adaptive.DEFAULT_MAX_AHEAD);
    }

    /**
     * Returns the mode of a name such as {@code ADAPTIVE} or {@code ASYNC_BATCH}, with its default sizes. ASYNC_BATCH fetches
     * the next block when a quarter of the default cache is left.
     *
     * @throws SequenceException.Misconfigured if no mode has this name
     */
    static Allocation named(String name) {
        return switch (name) {
            case "ASYNC" -> async();
            case "COMBINED" -> combined();
            case "CONFIRMED" -> confirmed();
            case "BATCH" -> batch();
            case "ASYNC_BATCH" -> asyncBatch(CACHE, SequenceDefinition.DEFAULT_CACHE / 4);
            case "ADAPTIVE" -> adaptive();
            default ->
                throw new SequenceException.Misconfigured(
                        "no mode is called '" + Messages.excerpt(name)
                                + "'; the modes that draw outside the caller's transaction are ASYNC, COMBINED, CONFIRMED, BATCH, ASYNC_BATCH and ADAPTIVE");
        };
    }

    /** One transaction per value. Unique and ordered. At most 1 / reservation latency if the row is the bottleneck. */
    record Async() implements Allocation {}

    /**
     * Callers waiting at the same time share the next reservation. They never join one that has already been sent,
     * which would break the order across processes. Unique and ordered. Throughput is at most waiting callers /
     * reservation latency.
     */
    record Combined() implements Allocation {}

    /**
     * Callers waiting at the same time share the next <em>read</em> of the counter. If it shows that no other session has
     * reserved since this instance did, the instance's reserved values are the newest. It deals them, in order, to the
     * callers that arrived before the read was sent. Otherwise these values are lost, and the callers share a
     * reservation as in {@link Combined}. Unique and ordered among committed draws. Throughput is at most waiting
     * callers / read latency.
     *
     * <p>A read costs far less than a durable commit. While only this instance draws, it reserves values ahead, more the
     * longer that lasts. While others draw, it reserves none ahead and costs the same as {@link Combined}. When another
     * session draws, on a crash, or on close without giving back, at most {@code maxBlock} values are lost.
     *
     * <p>Requires a store whose reads show everything that is committed ({@code dev.seriatim.store.ConfirmingStore}).
     * Other modes and SQL functions may draw from the same sequence. Modes with blocks (BATCH, ASYNC_BATCH, ADAPTIVE) on
     * the same sequence remain unordered. A number drawn inside a transaction is ordered by its commit.
     *
     * @param maxBlock maximum number of values to reserve ahead, at least 1
     */
    record Confirmed(long maxBlock) implements Allocation {
        /** Default maximum number of values to reserve ahead. */
        public static final long DEFAULT_MAX_BLOCK = 10_000;

        /** Throws {@link SequenceException.Misconfigured} if the bound is below 1. */
        public Confirmed {
            if (maxBlock < 1) {
                throw new SequenceException.Misconfigured(
                        "a confirmed mode must reserve at least 1 value ahead, not " + maxBlock);
            }
        }
    }

    /**
     * One block per instance, refilled when empty.
     *
     * @param size values per block, or {@link #CACHE}
     */
    record Batch(long size) implements Allocation {
        /** Throws {@link SequenceException.Misconfigured} if the size is negative. */
        public Batch {
            checkSize(size);
        }
    }

    /**
     * Like {@link Batch}, but fetches the next block in the background when the values left fall to the low-water mark.
     * No caller waits as long as the mark exceeds rate × reservation latency.
     *
     * @param size values per block, or {@link #CACHE}
     * @param lowWaterMark values left at which the next block is fetched, at least 1
     */
    record AsyncBatch(long size, long lowWaterMark) implements Allocation {
        /** Throws {@link SequenceException.Misconfigured} if the size is negative, or the mark is below 1 or above it. */
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
     * Like {@link AsyncBatch}, but block size and mark adapt to the measured rate and reservation latency within
     * bounds. Starts with a block of the sequence's {@code cache} and shrinks when idle, so a crash loses few values.
     *
     * @param minBlock minimum block size, at least 1
     * @param maxBlock maximum block size
     * @param maxAhead maximum number of blocks to fetch ahead, at least 1
     */
    record Adaptive(long minBlock, long maxBlock, int maxAhead) implements Allocation {
        /** Default minimum block size. */
        public static final long DEFAULT_MIN_BLOCK = 10;
        /** Default maximum block size. */
        public static final long DEFAULT_MAX_BLOCK = 1_000_000;
        /** Default maximum number of blocks to fetch ahead. */
        public static final int DEFAULT_MAX_AHEAD = 4;

        /** Throws {@link SequenceException.Misconfigured} if the bounds are out of order or below 1. */
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
