// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.check.OrderedLane;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.DrawRing.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The draws of one thread. Used under the lock of its {@link RingReader}. */
final class ReadLane implements DrawRing.Reports {

    final Watch watch;
    final String name;

    /** Draws that returned numbers, or an unknown outcome. */
    long drew;

    /** Draws that failed because the store was unavailable. */
    long unavailable;

    /** Draws that failed for another reason. */
    long failed;

    /** The numbers of the open transaction, in runs: the first number and the count. */
    private final List<long[]> committing = new ArrayList<>();

    private final DrawRing ring;
    private final @Nullable OrderedLane ordered;

    ReadLane(Watch watch, DrawRing ring, String name) {
        this.watch = watch;
        this.ring = ring;
        this.name = name;
        ordered = watch.order == null ? null : watch.order.open(name, System.nanoTime());
    }

    /** Takes the reports so far. Returns false if no more can follow. */
    boolean read() {
        long to = ring.drain(this);
        boolean ended = to == Long.MAX_VALUE;
        if (ended) { // killed before it reported the end of the commit
            committing.forEach(run -> watch.unsure.add(run[0], run[1]));
            committing.clear();
        }
        if (ordered != null) {
            if (ended) {
                ordered.close();
            } else {
                ordered.advance(to);
            }
        }
        return !ended;
    }

    @Override
    public void take(Kind kind, long began, long returned, long first, int count) {
        switch (kind) {
            case DREW -> {
                drew++;
                committing.removeIf(run -> run[0] == first);
                watch.numbers += count;
                watch.highest = Math.max(watch.highest, first + count - 1);
                watch.unique.drew(name, returned, first, count);
                if (ordered != null) {
                    ordered.drewOneOfSeveral(began, returned, first, count);
                }
            }
            case UNSURE -> {
                drew++;
                committing.removeIf(run -> run[0] == first);
                watch.unsure.add(first, count);
            }
            case FAILED -> {
                failed++;
                watch.failed++;
                committing.clear();
            }
            case UNAVAILABLE -> {
                unavailable++;
                watch.failed++;
                watch.unavailable++;
                committing.clear();
            }
            case COMMITTING -> {
                if (count == 0) {
                    committing.clear();
                } else {
                    committing.add(new long[] {first, count});
                }
            }
        }
    }

    /** Waits for each thread to draw once more after the last fault. Used under the lock of the {@link RingReader}. */
    static final class Recovery {

        private record Mark(long drew, long unavailable, long failed) {}

        private final Map<ReadLane, Mark> waiting = new LinkedHashMap<>();

        Recovery(Collection<ReadLane> lanes) {
            lanes.forEach(lane -> waiting.put(lane, new Mark(lane.drew, lane.unavailable, lane.failed)));
        }

        /** Returns whether all have drawn. Poll it. */
        boolean isOver() {
            waiting.entrySet()
                    .removeIf(lane -> lane.getKey().drew > lane.getValue().drew());
            return waiting.isEmpty();
        }

        /** Returns the threads that have not drawn and whose draws all failed because the store was unavailable. */
        List<ReadLane> withoutStore() {
            return waiting(true);
        }

        /** Returns the other threads that have not drawn: no draw has returned, or a draw has failed for another reason. */
        List<ReadLane> hung() {
            return waiting(false);
        }

        private List<ReadLane> waiting(boolean withoutStore) {
            return waiting.entrySet().stream()
                    .filter(each -> isWithoutStore(each.getKey(), each.getValue()) == withoutStore)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        private static boolean isWithoutStore(ReadLane lane, Mark mark) {
            return lane.unavailable > mark.unavailable() && lane.failed == mark.failed();
        }
    }
}
