// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.trial;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.lab.verify.arena.Arena;
import java.time.Duration;

/** Notices that nothing has been drawn for long, whatever the faults. Not thread-safe. */
final class Silence {

    private final Duration longest;
    private final Arena arena;
    private long lastNumbers;
    private long lastNumbersAt = System.nanoTime();

    /**
     * @param longest how long the store may be away
     * @param arena where numbers are drawn
     */
    Silence(Duration longest, Arena arena) {
        this.longest = longest;
        this.arena = arena;
    }

    /**
     * Ask now and then.
     *
     * @param numbers how many have been drawn so far
     * @throws Unavailable if there have been no more for too long
     */
    void check(long numbers) {
        long now = System.nanoTime();
        if (numbers > lastNumbers) {
            lastNumbers = numbers;
            lastNumbersAt = now;
        } else if (now - lastNumbersAt > longest.toNanos()) {
            throw new Unavailable(
                    "nothing has been drawn for " + longest.toSeconds() + " s: " + arena + " is away, or hangs", null);
        }
    }
}
