// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.List;

/** Finds numbers that are drawn more than once, by any lane. */
public final class UniqueCheck {

    private final ValueSet drawn = new ValueSet();
    private final Examples examples = new Examples();
    private final long origin;
    private long duplicates;

    /** @param origin the {@link System#nanoTime} that the times in the examples count from */
    public UniqueCheck(long origin) {
        this.origin = origin;
    }

    /** Reports that a lane drew numbers one by one from the first, which returned at a time of {@link System#nanoTime}. */
    public void drew(String lane, long returned, long first, long count) {
        long repeated = count == 1 ? (drawn.add(first) ? 1 : 0) : drawn.add(first, count);
        if (repeated > 0) {
            duplicates += repeated;
            if (!examples.full()) {
                String others = repeated == 1 ? "" : " and " + (repeated - 1) + " after it";
                examples.add(drawn.firstRepeated() + others + " drawn again by " + lane + " at "
                        + Examples.seconds(returned, origin));
            }
        }
    }

    /** Returns the number of draws that repeat a number. */
    public long duplicates() {
        return duplicates;
    }

    /** Describes the first few duplicates; empty if there are none. */
    public List<String> examples() {
        return examples.lines();
    }

    public ValueSet drawn() {
        return drawn;
    }
}
