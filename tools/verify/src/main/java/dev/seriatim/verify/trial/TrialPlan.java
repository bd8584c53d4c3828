// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.verify.fault.FaultKind;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.ServerCommand;
import dev.seriatim.verify.verdict.LeftOut;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a trial is to do. Immutable.
 *
 * @param command the command line, without secrets, for the report
 * @param urls the ways to the store, at least one, such as the nodes of a cluster, which processes take in turn; may hold secrets
 * @param modes the modes to draw in; those that the store does not offer are left out
 * @param faults what strikes; possible here
 * @param leftOut what is not possible here, for the report
 * @param processes how many processes draw at a time
 * @param threads how many threads each has for a mode
 * @param seed decides the faults
 * @param longest when it ends at the latest
 * @param patience how long the store may be away, beyond the faults, until it ends, and its objects may take to be removed
 * @param goals ends as soon as all are reached; if there are none, at the end of the time
 * @param controls whether to show that the checks find generators that break their promise
 * @param server runs the server; it is killed and stopped if the faults say so
 * @param others further faults, of the caller's own, such as a failover; each counts as a kill of the server
 */
public record TrialPlan(
        String command,
        List<String> urls,
        List<DrawMode> modes,
        Set<FaultKind> faults,
        List<LeftOut> leftOut,
        int processes,
        int threads,
        long seed,
        Duration longest,
        Duration patience,
        Map<Goal, Long> goals,
        boolean controls,
        Optional<ServerCommand> server,
        List<InjectedFault> others) {

    private static final Duration LONGEST_START_OF_SERVER = Duration.ofMinutes(2);

    /** Checks the numbers, and copies the collections. */
    public TrialPlan {
        if (urls.isEmpty() || processes < 1 || threads < 1 || longest.isNegative()) {
            throw new IllegalArgumentException(processes + " processes, " + threads + " threads, for " + longest);
        }
        urls = List.copyOf(urls);
        modes = List.copyOf(modes);
        faults = Set.copyOf(faults);
        leftOut = List.copyOf(leftOut);
        goals = Map.copyOf(goals);
        others = List.copyOf(others);
    }

    /** Returns the way to the store that the process at a place takes. */
    String url(int place) {
        return urls.get(place % urls.size());
    }

    /** Returns how long the store may be away: longer where its server is killed and started again. */
    Duration longestAbsence() {
        return faults.contains(FaultKind.SERVER) || !others.isEmpty()
                ? patience.plus(LONGEST_START_OF_SERVER)
                : patience;
    }
}
