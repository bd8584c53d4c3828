// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which threads have drawn once more since the last fault ended. Used under the lock of their {@link RingReader}. */
final class Recovery {

    private record Mark(long drew, long unavailable, long failed) {}

    private final Map<ReadLane, Mark> waiting = new LinkedHashMap<>();

    /** Begins now. */
    Recovery(Collection<ReadLane> lanes) {
        lanes.forEach(lane -> waiting.put(lane, new Mark(lane.drew, lane.unavailable, lane.failed)));
    }

    /** Returns whether all have drawn. Ask now and then. */
    boolean isOver() {
        waiting.entrySet().removeIf(lane -> lane.getKey().drew > lane.getValue().drew());
        return waiting.isEmpty();
    }

    /** Returns those that have not drawn because the store is unavailable, as all their draws since have said. */
    List<ReadLane> withoutStore() {
        return waiting.keySet().stream().filter(this::isWithoutStore).toList();
    }

    /** Returns the others that have not drawn: none of their draws has returned, or one has failed for another reason. */
    List<ReadLane> hung() {
        return waiting.keySet().stream().filter(lane -> !isWithoutStore(lane)).toList();
    }

    private boolean isWithoutStore(ReadLane lane) {
        Mark mark = waiting.get(lane);
        return mark != null && lane.unavailable > mark.unavailable() && lane.failed == mark.failed();
    }
}
