// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import com.google.gson.annotations.SerializedName;
import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a verification. Immutable.
 *
 * @param faults the faults that were injected
 * @param failures why draws failed, the most frequent reasons first; those of killed processes are missing
 * @param leftOut what could not be done
 * @param end why the verification ended
 * @param problem the reason of an early end, in one line, or empty
 * @param left what could not be removed, and how to remove it, in one line, or empty
 */
record Verdict(
        Run run,
        List<Mode> modes,
        List<Control> controls,
        List<Count> faults,
        List<Count> failures,
        List<LeftOut> leftOut,
        End end,
        String problem,
        String left) {

    /**
     * How it was run.
     *
     * @param command the command line, without secrets
     * @param store the store, without secrets
     * @param took the time for which processes drew
     * @param processes the number of processes that drew at a time
     * @param threads the threads of each process for each mode
     */
    record Run(String command, String store, Instant began, Duration took, long seed, int processes, int threads) {}

    /**
     * The result for one mode.
     *
     * @param numbers the numbers that callers have received
     * @param unsure the numbers of transactions whose commit has an unknown outcome
     * @param failed draws that failed, as they may during a fault
     * @param committed rows in the mode's ledger; null if it has none, or they were not counted
     * @param looks checks of the ledger during the run
     * @param next the next number of the store; null if it was not read
     */
    record Mode(
            DrawMode mode,
            long numbers,
            long unsure,
            long failed,
            @Nullable Long committed,
            long looks,
            @Nullable Long next,
            List<Violation> violations) {

        Mode {
            violations = List.copyOf(violations);
        }

        /** Returns the number of times a promise was broken. */
        long broken() {
            return violations.stream().mapToLong(Violation::count).sum();
        }
    }

    /**
     * The result for a generator that breaks its promise.
     *
     * @param what the mistake of the generator
     * @param red whether the checks found the mistake
     * @param found the first violation in words; null if none was found
     */
    record Control(
            String name,
            String what,
            boolean red,
            @Nullable String found,
            long numbers,
            @SerializedName("seconds") Duration took) {}

    /** How often something happened. */
    record Count(String what, long count) {}

    /** A mode, a kind of fault, a goal or a control that could not be run here, with the reason in one line. */
    record LeftOut(String what, String why) {}

    enum End {
        TIME,
        GOALS,
        VIOLATION,
        /** It was interrupted. */
        STOPPED,
        FAILED
    }

    Verdict {
        modes = List.copyOf(modes);
        controls = List.copyOf(controls);
        faults = List.copyOf(faults);
        failures = List.copyOf(failures);
        leftOut = List.copyOf(leftOut);
    }

    /** Returns a copy with what could not be removed. */
    Verdict withLeft(String what) {
        return new Verdict(run, modes, controls, faults, failures, leftOut, end, problem, what);
    }

    /** Returns the number of times promises were broken. */
    long broken() {
        return modes.stream().mapToLong(Mode::broken).sum();
    }

    /** Returns whether the checks found every generator that breaks its promise. */
    boolean controlled() {
        return controls.stream().allMatch(Control::red);
    }

    /** Returns the count of numbers that callers have received. */
    long numbers() {
        return modes.stream().mapToLong(Mode::numbers).sum();
    }

    /** Returns whether nothing is broken, but nothing is proven either. */
    boolean isUnproven() {
        return broken() == 0 && (end == End.FAILED || !controlled());
    }
}
