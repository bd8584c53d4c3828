// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a verification did and found. Immutable.
 *
 * @param command the command line, without secrets
 * @param store the store, without secrets
 * @param began when it began
 * @param took how long it drew
 * @param seed decides the faults
 * @param processes how many processes drew at a time
 * @param threads how many threads each had for a mode
 * @param modes what was found of the modes
 * @param controls what was found of generators that break their promise
 * @param harms what was done meanwhile
 * @param failures why draws failed, the most frequent reasons first, as far as processes lived to tell
 * @param leftOut what could not be done
 * @param end why it ended
 * @param problem what ended it early, in one line; empty if nothing did
 * @param left what could not be removed, and how to do that, in one line; empty if nothing is left
 */
public record Verdict(
        String command,
        String store,
        Instant began,
        Duration took,
        long seed,
        int processes,
        int threads,
        List<ModeVerdict> modes,
        List<ControlVerdict> controls,
        List<Harm> harms,
        List<Harm> failures,
        List<LeftOut> leftOut,
        End end,
        String problem,
        String left) {

    /** Why a verification ended. */
    public enum End {
        /** Its time was over. */
        TIME,
        /** It had reached its goals. */
        GOALS,
        /** A promise was broken. */
        VIOLATION,
        /** Somebody stopped it. */
        STOPPED,
        /** It could not go on. */
        FAILED
    }

    /** Copies the lists. */
    public Verdict {
        modes = List.copyOf(modes);
        controls = List.copyOf(controls);
        harms = List.copyOf(harms);
        failures = List.copyOf(failures);
        leftOut = List.copyOf(leftOut);
    }

    /** Returns this verdict, with what could not be removed. */
    public Verdict withLeft(String what) {
        return new Verdict(
                command, store, began, took, seed, processes, threads, modes, controls, harms, failures, leftOut, end,
                problem, what);
    }

    /** Returns how often promises were broken. */
    public long broken() {
        return modes.stream().mapToLong(ModeVerdict::broken).sum();
    }

    /** Returns whether the checks found every generator that breaks its promise. */
    public boolean controlled() {
        return controls.stream().allMatch(ControlVerdict::red);
    }

    /** Returns how many numbers callers have got. */
    public long numbers() {
        return modes.stream().mapToLong(ModeVerdict::numbers).sum();
    }
}
