// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.util.ArrayList;
import java.util.List;

/** A growing list of numbers that never copies its elements. Used by one thread at a time. */
public final class LongLog {

    private static final int FURTHER_CHUNK = 1 << 14;

    private final List<long[]> full = new ArrayList<>();
    private long[] chunk;
    private int used;

    /** Allocates room for {@code expected} numbers; grows when it is full. */
    LongLog(int expected) {
        chunk = new long[Math.max(1, expected)];
    }

    public void add(long number) {
        if (used == chunk.length) {
            full.add(chunk);
            chunk = new long[FURTHER_CHUNK];
            used = 0;
        }
        chunk[used++] = number;
    }

    /** Concatenates several logs. */
    static long[] merge(List<LongLog> logs) {
        long[] all =
                new long[Math.toIntExact(logs.stream().mapToLong(LongLog::size).sum())];
        int at = 0;
        for (LongLog log : logs) {
            at = log.copyTo(all, at);
        }
        return all;
    }

    private long size() {
        return full.stream().mapToLong(c -> c.length).sum() + used;
    }

    private int copyTo(long[] target, int from) {
        int at = from;
        for (long[] c : full) {
            System.arraycopy(c, 0, target, at, c.length);
            at += c.length;
        }
        System.arraycopy(chunk, 0, target, at, used);
        return at + used;
    }
}
