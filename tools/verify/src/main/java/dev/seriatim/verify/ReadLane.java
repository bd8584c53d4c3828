// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.check.OrderCheck;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.DrawRing.Kind;
import dev.seriatim.verify.worker.FeedRole;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The draws of one thread. Used under the lock of its {@link RingReader}. */
final class ReadLane implements DrawRing.Reports {

    final Watch watch;
    final String name;

    /** The reports so far. */
    long taken;

    /** The kinds of the reports since the last fault. */
    private final Set<Kind> recent = EnumSet.noneOf(Kind.class);

    /** The numbers of the open transaction. */
    private final Set<Long> committing = new HashSet<>();

    private final DrawRing ring;
    private final OrderCheck.@Nullable Lane ordered;

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
            committing.forEach(watch.unsure::add);
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
        taken++;
        recent.add(kind);
        switch (kind) {
            case DREW -> {
                committing.remove(first);
                watch.numbers += count;
                if (watch.sequence.generator().equals(FeedRole.WRITER.name())) {
                    watch.commits.add(new FeedReading.Commit(began, returned, first, count));
                }
                watch.highest = Math.max(watch.highest, first + count - 1);
                watch.unique.drew(name, returned, first, count);
                if (ordered != null) {
                    ordered.drewOneOfSeveral(began, returned, first, count);
                }
            }
            case UNSURE -> {
                committing.remove(first);
                watch.unsure.add(first, count);
            }
            case FAILED -> {
                watch.failed++;
                committing.clear();
            }
            case UNAVAILABLE -> {
                watch.failed++;
                watch.unavailable++;
                committing.clear();
            }
            case COMMITTING -> {
                if (count == 0) {
                    committing.clear();
                } else {
                    committing.add(first);
                }
            }
        }
    }

    /** Waits for each thread to draw once more after the last fault. Used under the lock of the {@link RingReader}. */
    static final class Recovery {

        private final List<ReadLane> waiting;

        Recovery(Collection<ReadLane> lanes) {
            waiting = new ArrayList<>(lanes);
            waiting.forEach(lane -> lane.recent.clear());
        }

        /** Returns whether all have drawn. Poll it. */
        boolean isOver() {
            waiting.removeIf(lane -> lane.recent.contains(Kind.DREW) || lane.recent.contains(Kind.UNSURE));
            return waiting.isEmpty();
        }

        /** Returns the threads that have not drawn and whose draws all failed because the store was unavailable. */
        List<ReadLane> withoutStore() {
            return waiting.stream().filter(ReadLane::isWithoutStore).toList();
        }

        /** Returns the other threads that have not drawn: no draw has returned, or a draw has failed for another reason. */
        List<ReadLane> hung() {
            return waiting.stream().filter(lane -> !lane.isWithoutStore()).toList();
        }
    }

    private boolean isWithoutStore() {
        return recent.contains(Kind.UNAVAILABLE) && !recent.contains(Kind.FAILED);
    }
}
