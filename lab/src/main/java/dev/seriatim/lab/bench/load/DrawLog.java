// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.load;

import dev.seriatim.Block;
import java.util.Arrays;

/**
 * The numbers and the times of one iteration, in nanoseconds of the system's timer. Used by one thread, again and again.
 */
public final class DrawLog {

    /** When the iteration began. */
    public long started;

    /** When the iteration ended. */
    public long finished;

    /** Rows that were inserted with numbers that were not shown to us. */
    public int unseen;

    private long[] values = new long[1];
    private long[] began = new long[1];
    private long[] returned = new long[1];
    private int count;
    private long asked;

    /** Forgets what was drawn, since an iteration begins, or begins again. */
    public void restart() {
        count = 0;
        unseen = 0;
    }

    /** The next draw begins now. */
    public void begin() {
        begin(System.nanoTime());
    }

    /** The next draw begins at a time that is known. */
    public void begin(long now) {
        asked = now;
    }

    /** The draw returned, now, with a value. */
    public void took(long value) {
        took(value, System.nanoTime());
    }

    /** The draw returned with a value, at a time that is known. */
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

    /** The draw returned, now, with several values at once. */
    public void took(Block block) {
        long now = System.nanoTime();
        for (long i = 0; i < block.count(); i++) {
            took(block.get(i), now);
        }
    }

    /** How many values were drawn, even if the iteration failed afterwards. */
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
