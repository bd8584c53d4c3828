// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import java.util.List;
import java.util.Map;

/**
 * The accounts of a worker. Immutable.
 *
 * @param generators the numbers of each generator
 * @param failures why draws failed: each different reason once, the latest at the end
 */
public record WorkerAccounts(Map<String, Account> generators, List<FailedDraws> failures) {

    static final WorkerAccounts NONE = new WorkerAccounts(Map.of(), List.of());

    /** Copies the collections. */
    public WorkerAccounts {
        generators = Map.copyOf(generators);
        failures = List.copyOf(failures);
    }

    /**
     * The numbers of a generator. In modes that reserve in transactions of their own, if the lanes have stopped, which closes the
     * sequence: reserved = dealt + lost + given back, unless outcomes are unknown.
     *
     * @param dealt numbers that callers have received
     * @param lost numbers that will never be dealt
     * @param unknown upper bound of further reserved numbers, because answers were lost
     */
    public record Account(long reserved, long dealt, long lost, long givenBack, long unknown) {

        /** Returns the sum of two accounts. */
        Account plus(Account other) {
            return new Account(
                    reserved + other.reserved,
                    dealt + other.dealt,
                    lost + other.lost,
                    givenBack + other.givenBack,
                    unknown + other.unknown);
        }
    }

    /**
     * Draws that failed for one reason.
     *
     * @param reason the failure in one line, without secrets
     * @param lasting whether an unavailable server does not explain it
     */
    public record FailedDraws(String generator, String reason, long count, boolean lasting) {

        /** Stands for the less frequent reasons, if there are too many. */
        static final String OTHERS = "(other reasons)";

        /** Returns whether the reason is known. */
        public boolean hasReason() {
            return !reason.equals(OTHERS);
        }
    }
}
