// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.check.Conservation;
import java.util.List;
import java.util.Map;

/**
 * The accounts of a worker. Immutable.
 *
 * @param generators the numbers of each generator; they add up in modes that reserve in transactions of their own, after the lanes have
 *     stopped
 * @param failures why draws failed: each different reason once, the latest at the end
 */
public record WorkerAccounts(Map<String, Conservation> generators, List<FailedDraws> failures) {

    /**
     * Draws that failed for one reason.
     *
     * @param reason the failure in one line, without secrets
     * @param lasting whether an unavailable server does not explain it
     */
    public record FailedDraws(String generator, String reason, long count, boolean lasting) {

        FailedDraws plus(FailedDraws more) {
            return new FailedDraws(generator, reason, count + more.count, lasting);
        }
    }
}
