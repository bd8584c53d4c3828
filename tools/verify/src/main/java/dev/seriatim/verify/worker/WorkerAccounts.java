// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import java.util.List;
import java.util.Map;

/**
 * What a worker says of its sequences. Immutable.
 *
 * @param generators what was done with the numbers, by generator
 * @param failures why draws failed: each different reason once, the one that came last at the end
 */
public record WorkerAccounts(Map<String, Account> generators, List<FailedDraws> failures) {

    /** Copies the collections. */
    public WorkerAccounts {
        generators = Map.copyOf(generators);
        failures = List.copyOf(failures);
    }

    /**
     * How many numbers a generator had, and where they are. If its lanes have stopped, which closes its sequence, then of the modes
     * that reserve in transactions of their own, reserved = dealt + lost + given back, unless outcomes are unknown.
     *
     * @param reserved numbers reserved in the store
     * @param dealt numbers that callers have got
     * @param lost numbers that will never be dealt
     * @param givenBack numbers that went back to the store
     * @param unknown at most how many more may be reserved, since answers were lost
     */
    public record Account(long reserved, long dealt, long lost, long givenBack, long unknown) {

        /** Returns how many numbers are reserved and nowhere; negative if more were dealt than reserved. */
        public long missing() {
            return reserved - dealt - lost - givenBack;
        }
    }

    /**
     * Draws that failed for one reason.
     *
     * @param generator the generator
     * @param reason the failure in one line, without secrets
     * @param count how many draws
     * @param lasting whether a server that is away does not explain it
     */
    public record FailedDraws(String generator, String reason, long count, boolean lasting) {

        /** The reason of those that are not told apart, since there are too many. */
        static final String OTHERS = "(other reasons)";

        /** Returns whether the reason says anything. */
        public boolean isTold() {
            return !reason.equals(OTHERS);
        }
    }
}
