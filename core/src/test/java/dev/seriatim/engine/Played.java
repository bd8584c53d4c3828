// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.memory.PlayedStore;
import java.util.List;

/** A schedule that has been played: its faults, and a fingerprint. */
record Played(long seed, List<String> faults, List<String> trace, long print, int steps, boolean over) {

    static Played of(long seed, ActorThreads threads, boolean tracing, PlayedStore.Flaw flaw) {
        Schedule schedule = new Schedule(seed, threads, tracing);
        Play play = switch (schedule.pick(7)) {
            case 0, 1 -> new GroupPlay(schedule);
            case 2 -> new PoolPlay(schedule);
            case 3 -> new SyncPlay(schedule);
            default -> new LinePlay(schedule);
        };
        play.store.flaw = flaw;
        play.play();
        return new Played(
                seed,
                List.copyOf(schedule.faults()),
                schedule.trace(),
                schedule.print(),
                schedule.steps(),
                schedule.over());
    }
}
