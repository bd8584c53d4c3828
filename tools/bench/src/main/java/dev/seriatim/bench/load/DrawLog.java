// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.Block;
import java.util.Arrays;

/**
 * The numbers and times of one iteration, in nanoseconds of {@link System#nanoTime}. Reused; used by one thread.
 */
public final class DrawLog {

    /** The time at which the iteration began. */
    public long started;

    /** The time at which the iteration ended. */
    public long finished;

    /** Inserted rows whose numbers the database did not return. */
    public int unseen;

    private long[] values = new long[1];
    private long[] began = new long[1];
    private long[] returned = new long[1];
    private int count;
    private long asked;

    /** Clears the log at the start of an iteration or of its repetition. */
    public void restart() {
        count = 0;
        unseen = 0;
    }

    /** Records that the next draw starts now. */
    public void begin() {
        begin(System.nanoTime());
    }

    /** Records that the next draw starts at a known time. */
    public void begin(long now) {
        asked = now;
    }

    /** Records that the draw returned a value now. */
    public void took(long value) {
        took(value, System.nanoTime());
    }

    /** Records that the draw returned a value at a known time. */
    public void took(long value, long now) {
        if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
            began = Arrays.copyOf(began, 2 * count);
            returned = Arrays.copyOf(returned, 2 * count);
        }
        values[count] = value;
        began[count] = asked;
        returned[count] = now;
        count++;
    }

    /** Records that the draw returned several values now. */
    public void took(Block block) {
        long now = System.nanoTime();
        for (long i = 0; i < block.count(); i++) {
            took(block.get(i), now);
        }
    }

    /** Returns the number of values drawn, also if the iteration failed afterwards. */
    public int count() {
        return count;
    }

    public long value(int i) {
        return values[i];
    }

    long began(int i) {
        return began[i];
    }

    long returned(int i) {
        return returned[i];
    }
}
