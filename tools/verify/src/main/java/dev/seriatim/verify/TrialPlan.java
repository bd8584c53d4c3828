// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.verify.Verdict.LeftOut;
import dev.seriatim.verify.fault.FaultKind;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.ServerCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A trial to run. Immutable.
 *
 * @param command the command line, without secrets, for the report
 * @param urls the store, by at least one URL, such as one for each node of a cluster; processes take them in turn. May hold secrets
 * @param modes the modes to draw in; those that the store does not offer are left out
 * @param controls whether to run the generators that break their promise
 * @param leftOut what is not possible here, for the report
 */
record TrialPlan(
        String command,
        List<String> urls,
        List<DrawMode> modes,
        Load load,
        Faults faults,
        Limits limits,
        boolean controls,
        List<LeftOut> leftOut) {

    private static final Duration LONGEST_START_OF_SERVER = Duration.ofMinutes(2);

    /** @param threads the threads of each process for each mode */
    record Load(int processes, int threads) {}

    /**
     * The faults to inject.
     *
     * @param seed decides the faults and their order
     * @param server the server to kill and suspend, if the kinds say so
     * @param others further faults, such as a failover; each counts as a kill of the server
     */
    record Faults(Set<FaultKind> kinds, long seed, Optional<ServerCommand> server, List<InjectedFault> others) {}

    /**
     * @param patience how long the store may be unavailable, apart from faults, and how long the removal of its objects may take
     * @param goals the trial ends as soon as all are reached; if empty, when its time is over
     */
    record Limits(Duration longest, Duration patience, Map<Goal, Long> goals) {}

    String url(int place) {
        return urls.get(place % urls.size());
    }

    /** Returns how long the store may be unavailable: longer if its server is killed and restarted. */
    Duration longestAbsence() {
        return faults.kinds.contains(FaultKind.SERVER) || !faults.others.isEmpty()
                ? limits.patience.plus(LONGEST_START_OF_SERVER)
                : limits.patience;
    }
}
