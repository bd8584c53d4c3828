// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.check.Conservation;
import dev.seriatim.check.Gaps;
import dev.seriatim.check.OrderCheck;
import dev.seriatim.check.UniqueCheck;
import dev.seriatim.check.ValueSet;
import dev.seriatim.verify.Violation.Kind;
import dev.seriatim.verify.worker.WorkerAccounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Checks all draws from one sequence, and compares them with the store. Used under the lock of its {@link RingReader}. */
final class Watch {

    /** The session of a killed process may end a little later. */
    private static final long LONGEST_SETTLING_SECONDS = 30;

    private static final long PAUSE_MILLIS = 100;

    final ArenaSequence sequence;
    final UniqueCheck unique;
    final ValueSet unsure = new ValueSet();

    /** Null if the mode does not promise order. */
    final @Nullable OrderCheck order;

    /** What writers have committed, in a trial of feeds. */
    final List<FeedReading.Commit> commits = new ArrayList<>();

    long numbers;
    long failed;

    /** Failed draws because the store was unavailable. */
    long unavailable;

    long highest = ArenaSequence.START - 1;

    /** What checks of the ledger during the run have found. */
    private final List<String> mismatches = new ArrayList<>();

    /** Threads that did not draw again after the last fault. */
    final List<String> hung = new ArrayList<>();

    /** The next number of the store at the end, and the rows of the ledger; null before, or if there is none. */
    @Nullable
    Long next;

    @Nullable
    Long committed;

    private final List<Violation> gaps = new ArrayList<>();

    Watch(ArenaSequence sequence, long origin) {
        this.sequence = sequence;
        unique = new UniqueCheck(origin);
        order = sequence.mode().promise().ordered() ? new OrderCheck(origin) : null;
    }

    List<Violation> violations() {
        List<Violation> found = new ArrayList<>();
        add(found, Kind.DUPLICATE, unique.duplicates(), unique.examples());
        if (order != null) {
            add(found, Kind.OUT_OF_ORDER, order.violations(), order.examples());
        }
        add(found, Kind.GAP, mismatches.size(), mismatches);
        add(found, Kind.HUNG, hung.size(), hung);
        found.addAll(gaps);
        return found;
    }

    private static void add(List<Violation> found, Kind kind, long count, List<String> examples) {
        if (count > 0) {
            found.add(new Violation(kind, count, examples));
        }
    }

    /** Checks during the run whether the ledger, if there is one, and its counter match. */
    void look(Arena arena) {
        if (!sequence.hasLedger()) {
            return;
        }
        try {
            CommittedState state = arena.tables().state(sequence);
            if (!state.looksGapless()) {
                mismatches.add(state.toString());
            }
        } catch (Unavailable e) {
            // the next look decides
        }
    }

    /** Reads the counter, and compares the whole ledger with the acknowledged numbers, after the last draw. */
    void compare(Arena arena) throws InterruptedException {
        next = arena.next(sequence);
        if (!sequence.hasLedger()) {
            return;
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SETTLING_SECONDS);
        while (true) {
            CommittedState before = arena.tables().state(sequence);
            ValueSet stored = new ValueSet();
            long rows = arena.tables().ledger(sequence, stored::add);
            ValueSet laidOut = new ValueSet();
            Arrays.stream(arena.tables().laidOut(sequence)).forEach(laidOut::add);
            if (arena.tables().state(sequence).equals(before)) {
                committed = rows;
                compare(before, rows, stored, laidOut);
                return;
            }
            if (System.nanoTime() > end) {
                throw new Unavailable(
                        "the table " + sequence.ledger()
                                + " still changes although no process draws; look for a stuck session",
                        null);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private void compare(CommittedState state, long rows, ValueSet stored, ValueSet laidOut) {
        // A lane reports numbers before it commits: those of a killed process are unsure.
        Gaps found = Gaps.of(new Gaps.Found(state.start(), state.next(), stored, laidOut, unique.drawn(), unsure));
        add(gaps, Kind.GAP, found.count() + rows - stored.size(), found.examples());
    }

    /** Compares the counter with the draws, and the accounts of each process with its draws. */
    List<Violation> conservation(List<WorkerAccounts> accounts) {
        List<String> faults = new ArrayList<>();
        if (next == null) {
            return List.of();
        }
        if (highest >= next) {
            faults.add("the store deals " + next + " next, and " + highest + " has been dealt");
        } else {
            faults.addAll(Conservation.ofRun(unique.drawn().size(), ArenaSequence.START, next)
                    .faults());
        }
        if (!sequence.mode().drawsInTransaction()) {
            for (WorkerAccounts each : accounts) {
                Conservation account = each.generators().get(sequence.generator());
                faults.addAll(account == null ? List.of() : account.faults());
            }
        }
        List<Violation> found = new ArrayList<>();
        add(found, Kind.NOT_CONSERVED, faults.size(), faults);
        return found;
    }
}
