// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.Block;
import java.util.Arrays;

/** The numbers that a client draws, and when each draw began and returned, by {@link System#nanoTime}. Used by one thread at a time. */
public final class DrawLog {

    /** The free places before an iteration, so that few iterations wait while the log grows. */
    private static final int ROOM = 1024;

    /** Inserted rows of the iteration whose numbers the database did not return. */
    public int unseen;

    private final boolean timed;
    private long[] values;
    private long[] began;
    private long[] returned;
    private int first;
    private int end;
    private long asked;

    /** Creates a log for an expected number of draws; {@code timed} keeps their times. */
    DrawLog(int expected, boolean timed) {
        this.timed = timed;
        values = new long[expected];
        began = new long[timed ? expected : 0];
        returned = new long[timed ? expected : 0];
    }

    /** Starts an iteration; the numbers of earlier ones are kept. */
    void next() {
        first = end;
        unseen = 0;
        if (values.length - end < ROOM) {
            grow();
        }
    }

    /** Clears the numbers of the iteration, which failed or is repeated. */
    public void restart() {
        end = first;
        unseen = 0;
    }

    public void begin() {
        if (timed) {
            asked = System.nanoTime();
        }
    }

    public void took(long value) {
        took(value, timed ? System.nanoTime() : 0);
    }

    private void took(long value, long now) {
        if (end == values.length) {
            grow();
        }
        values[end] = value;
        if (timed) {
            began[end] = asked;
            returned[end] = now;
        }
        end++;
    }

    private void grow() {
        int length = ROOM + 2 * values.length;
        values = Arrays.copyOf(values, length);
        if (timed) {
            began = Arrays.copyOf(began, length);
            returned = Arrays.copyOf(returned, length);
        }
    }

    public void took(Block block) {
        long now = System.nanoTime();
        block.values().forEach(value -> took(value, now));
    }

    public int count() {
        return end - first;
    }

    public long[] values() {
        return Arrays.copyOfRange(values, first, end);
    }

    /** Ends the log, and returns the numbers of all iterations. */
    DrawnNumbers drawn(long[] unsure, long unseenInAll) {
        values = Arrays.copyOf(values, end);
        began = Arrays.copyOf(began, timed ? end : 0);
        returned = Arrays.copyOf(returned, timed ? end : 0);
        return new DrawnNumbers(values, began, returned, unsure, unseenInAll);
    }
}
