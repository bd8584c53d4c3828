// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.SequenceException.Unavailable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A ring of draw reports in a file mapped into memory, from one thread of one process to one thread of another. A report
 * survives {@code kill -9} of its writer. None is seen in part, and none is lost: if the ring is full, the writer waits.
 *
 * <p>The file may be deleted once both sides have opened it. One thread writes and one reads.
 */
public final class DrawRing {

    /** The end of a draw. */
    public enum Kind {
        /** The caller has the numbers. */
        DREW(0),
        /** A transaction drew the numbers, and the outcome of its commit is unknown. */
        UNSURE(1),
        /** The draw failed for another reason than {@link #UNAVAILABLE}. There is no number. */
        FAILED(2),
        /**
         * A transaction has drawn the numbers and commits next. Another report follows, unless the process is killed before. With count 0:
         * the numbers that the lane reported so were not committed.
         */
        COMMITTING(3),
        /** The draw failed because the store was unavailable. There is no number. */
        UNAVAILABLE(4);

        private static final Kind[] ALL = values();

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    /** Receives the reports of one lane in order, without an object for each. */
    @FunctionalInterface
    public interface Reports {

        /**
         * Takes the report of a draw. Times are those of {@link System#nanoTime}, which on Linux is one clock for all processes.
         *
         * @param began before the draw began
         * @param returned after it had returned to the caller
         * @param first the first number; 0 if there is none
         * @param count the number of consecutive numbers
         */
        void take(Kind kind, long began, long returned, long first, int count);
    }

    /** Reports that fit by default. */
    public static final int DEFAULT_CAPACITY = 32 * 1024;

    private static final long MAGIC = 0x5345_5249_5249_4e47L;

    /** Not a time of the clock. */
    private static final long NONE = Long.MAX_VALUE;

    // Each on two cache lines of its own, because processors fetch pairs of them.
    private static final int ABOUT = 0;
    private static final int WRITTEN = 128;
    private static final int CONSUMED = 256;
    private static final int BEGAN = 384;
    private static final int ENDED = 512;
    private static final int REPORTS = 640;

    private static final int RETURNED_AT = 8;
    private static final int FIRST_AT = 16;
    private static final int COUNT_AT = 24;
    private static final int KIND_AT = 28;
    private static final int LENGTH_LOG = 5;

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer memory;
    private final int mask;

    // Each side's own count, and the last known count of the other side.
    private long written;
    private long consumed;

    private DrawRing(ByteBuffer memory, int capacity) {
        this.memory = memory;
        mask = capacity - 1;
        written = get(WRITTEN);
        consumed = get(CONSUMED);
    }

    /** Creates an empty ring in a new file; {@link Unavailable} if that fails. The capacity is a power of two. */
    public static DrawRing create(Path file, int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("the capacity of a ring must be a power of two, not " + capacity);
        }
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int length = REPORTS + (capacity << LENGTH_LOG);
            // Written, not only mapped: a full disk must be an error here, not a signal on access.
            ByteBuffer zeros = ByteBuffer.allocate(length);
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
            ByteBuffer memory = mapped(channel, length);
            LONG.setVolatile(memory, BEGAN, NONE);
            LONG.setVolatile(memory, ABOUT, MAGIC);
            return new DrawRing(memory, capacity);
        } catch (IOException e) {
            throw new Unavailable(
                    "cannot create the file " + file + " for draws (" + e
                            + "); make room there, or draw with fewer --threads",
                    e);
        }
    }

    /** Opens the ring of a file, to write or to read it; {@link Unavailable} if it cannot be opened, or holds no ring. */
    public static DrawRing open(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long length = channel.size();
            if (length > REPORTS && length <= Integer.MAX_VALUE) {
                ByteBuffer memory = mapped(channel, (int) length);
                if ((long) LONG.getVolatile(memory, ABOUT) == MAGIC) {
                    return new DrawRing(memory, ((int) length - REPORTS) >> LENGTH_LOG);
                }
            }
            throw new Unavailable("the file " + file + " holds no ring of draw reports", null);
        } catch (IOException e) {
            throw new Unavailable("cannot open the file " + file + " for draws (" + e + ")", e);
        }
    }

    private static ByteBuffer mapped(FileChannel channel, int length) throws IOException {
        MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
        return memory.order(ByteOrder.nativeOrder());
    }

    // ---- the writer

    /** Announces draws, until {@link #pause}. Read the time at which a draw begins after this. */
    void resume() {
        // With a full fence: a reader that does not see this yet has read the clock before the draw begins.
        LONG.setVolatile(memory, BEGAN, System.nanoTime());
    }

    /** Announces that no draw is under way. */
    void pause() {
        LONG.setRelease(memory, BEGAN, NONE);
    }

    /**
     * Writes a report. Waits while the ring is full. The next draw must begin no earlier than {@code notBefore}: the time at
     * which this draw returned, or at which it began if it has more to report.
     */
    void write(Kind kind, long began, long returned, long first, int count, long notBefore) {
        if (written - consumed > mask) {
            awaitRoom();
        }
        int place = REPORTS + (((int) written & mask) << LENGTH_LOG);
        memory.putLong(place, began);
        memory.putLong(place + RETURNED_AT, returned);
        memory.putLong(place + FIRST_AT, first);
        memory.putInt(place + COUNT_AT, count);
        memory.putInt(place + KIND_AT, kind.code);
        written++;
        LONG.setRelease(memory, WRITTEN, written);
        LONG.setRelease(memory, BEGAN, notBefore);
    }

    /** Announces that no report follows. The reader's side does so if the writer was killed. */
    void end() {
        pause();
        LONG.setRelease(memory, ENDED, 1L);
    }

    private void awaitRoom() {
        long pause = 1_000;
        for (consumed = get(CONSUMED); written - consumed > mask; consumed = get(CONSUMED)) {
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        }
    }

    // ---- the reader

    /**
     * Takes the reports written so far, in order.
     *
     * @return the time before which no unreported draw began; Long.MAX_VALUE if the lane has ended and all reports are taken
     */
    public long drain(Reports reports) {
        // In this order: reports written before the end are there, and a draw that is not announced yet begins after
        // now.
        long now = System.nanoTime();
        boolean ended = get(ENDED) != 0;
        long began = get(BEGAN);
        written = get(WRITTEN);
        while (consumed != written) {
            int place = REPORTS + (((int) consumed & mask) << LENGTH_LOG);
            reports.take(
                    Kind.ALL[memory.getInt(place + KIND_AT)],
                    memory.getLong(place),
                    memory.getLong(place + RETURNED_AT),
                    memory.getLong(place + FIRST_AT),
                    memory.getInt(place + COUNT_AT));
            consumed++;
            if ((consumed & (mask >>> 3)) == 0) {
                LONG.setRelease(memory, CONSUMED, consumed); // so that a waiting writer continues
            }
        }
        LONG.setRelease(memory, CONSUMED, consumed);
        if (ended) {
            return Long.MAX_VALUE;
        }
        return began == NONE ? now : began;
    }

    public long written() {
        return get(WRITTEN);
    }

    private long get(int place) {
        return (long) LONG.getAcquire(memory, place);
    }
}
