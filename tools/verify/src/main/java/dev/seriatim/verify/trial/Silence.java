// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.verify.arena.Arena;
import java.time.Duration;

/** Notices that nothing has been drawn for long, whatever the faults. Not thread-safe. */
final class Silence {

    private final Duration longest;
    private final Arena arena;
    private final WorkerCrew crew;
    private long lastNumbers;
    private long unavailableBefore;
    private long lastNumbersAt = System.nanoTime();

    /**
     * @param longest how long the store may be away
     * @param arena where numbers are drawn
     * @param crew who draws
     */
    Silence(Duration longest, Arena arena, WorkerCrew crew) {
        this.longest = longest;
        this.arena = arena;
        this.crew = crew;
    }

    /**
     * Ask now and then.
     *
     * @param numbers how many have been drawn so far
     * @param unavailable how many draws have failed so far because the store was unavailable
     * @throws Unavailable if there have been no more numbers for too long
     */
    void check(long numbers, long unavailable) throws InterruptedException {
        long now = System.nanoTime();
        if (numbers > lastNumbers) {
            lastNumbers = numbers;
            lastNumbersAt = now;
            unavailableBefore = unavailable;
        } else if (now - lastNumbersAt > longest.toNanos()) {
            String why = unavailable > unavailableBefore ? crew.lastReason(generator -> true) : "";
            throw new Unavailable(
                    "nothing has been drawn for " + longest.toSeconds() + " s: "
                            + (why.isEmpty() ? arena + " is away, or hangs" : why),
                    null);
        }
    }
}
