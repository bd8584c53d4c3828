// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Waits for each thread to draw once more after the last fault. Used under the lock of the {@link RingReader}. */
final class Recovery {

    private record Mark(long drew, long unavailable, long failed) {}

    private final Map<ReadLane, Mark> waiting = new LinkedHashMap<>();

    Recovery(Collection<ReadLane> lanes) {
        lanes.forEach(lane -> waiting.put(lane, new Mark(lane.drew, lane.unavailable, lane.failed)));
    }

    /** Returns whether all have drawn. Poll it. */
    boolean isOver() {
        waiting.entrySet().removeIf(lane -> lane.getKey().drew > lane.getValue().drew());
        return waiting.isEmpty();
    }

    /** Returns the threads that have not drawn and whose draws all failed because the store was unavailable. */
    List<ReadLane> withoutStore() {
        return waiting.keySet().stream().filter(this::isWithoutStore).toList();
    }

    /** Returns the other threads that have not drawn: no draw has returned, or a draw has failed for another reason. */
    List<ReadLane> hung() {
        return waiting.keySet().stream().filter(lane -> !isWithoutStore(lane)).toList();
    }

    private boolean isWithoutStore(ReadLane lane) {
        Mark mark = waiting.get(lane);
        return mark != null && lane.unavailable > mark.unavailable() && lane.failed == mark.failed();
    }
}
