// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.check.Conservation;
import dev.seriatim.check.GapCheck;
import dev.seriatim.check.Gaps;
import dev.seriatim.check.ValueSet;
import dev.seriatim.verify.arena.Arena;
import dev.seriatim.verify.arena.ArenaSequence;
import dev.seriatim.verify.arena.CommittedState;
import dev.seriatim.verify.verdict.Violation;
import dev.seriatim.verify.verdict.Violation.Kind;
import dev.seriatim.verify.worker.WorkerAccounts;
import dev.seriatim.verify.worker.WorkerAccounts.Account;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Compares what was drawn with what the store holds, once nobody draws any more.
 *
 * @param arena the store
 */
record Judge(Arena arena) {

    /** A session of a killed process may end a little later. */
    private static final long LONGEST_SETTLING_SECONDS = 30;

    private static final long PAUSE_MILLIS = 100;

    /**
     * What a ledger held at the end.
     *
     * @param rows how many rows
     * @param violations what is wrong with them
     */
    record Ledger(long rows, List<Violation> violations) {}

    /** Looks whether a ledger and its counter fit each other at this moment, while others draw. */
    Optional<String> look(ArenaSequence of) {
        CommittedState state = arena.state(of);
        return state.looksGapless() ? Optional.empty() : Optional.of(text(state));
    }

    private static String text(CommittedState state) {
        String pool = state.laidOut().count() == 0
                ? ""
                : ", " + state.laidOut().count() + " laid out from "
                        + state.laidOut().least() + " to " + state.laidOut().greatest();
        return "the counter was at " + state.next() + ", with " + state.stored().count() + " numbers stored from "
                + state.stored().least() + " to " + state.stored().greatest() + pool;
    }

    /** Compares the whole ledger with what was acknowledged. */
    Ledger ledger(Watch watch) throws InterruptedException {
        ArenaSequence of = watch.sequence;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SETTLING_SECONDS);
        while (true) {
            CommittedState before = arena.state(of);
            ValueSet stored = new ValueSet();
            long[] repeated = {0};
            long rows = arena.ledger(of, number -> repeated[0] += stored.add(number) ? 1 : 0);
            ValueSet laidOut = new ValueSet();
            arena.laidOut(of).forEach(laidOut::add);
            if (arena.state(of).equals(before)) {
                Gaps gaps = check(watch, before, stored, laidOut);
                long broken =
                        gaps.missing() + gaps.stray() + gaps.lost() + gaps.unexpected() + gaps.inBoth() + repeated[0];
                return new Ledger(
                        rows, broken == 0 ? List.of() : List.of(new Violation(Kind.GAP, broken, gaps.examples())));
            }
            if (System.nanoTime() > end) {
                throw new Unavailable(
                        "the table " + of.ledger() + " still changes although nobody draws any more; look for a session"
                                + " that is stuck",
                        null);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private Gaps check(Watch watch, CommittedState state, ValueSet stored, ValueSet laidOut) {
        return new GapCheck(state.start(), state.next())
                .acknowledged(watch.unique.drawn())
                .unsure(watch.unsure)
                .laidOut(laidOut)
                .allReported() // a lane says so before it commits: what a killed one could not report is unsure
                .check(stored.values());
    }

    /** Compares the counter with what was drawn, and what each process says with what it drew. */
    List<Violation> conservation(Watch watch, long next, List<WorkerAccounts> accounts) {
        List<String> faults = new ArrayList<>();
        if (watch.highest >= next) {
            faults.add("the store deals " + next + " next, and " + watch.highest + " has been dealt");
        } else {
            faults.addAll(Conservation.ofRun(watch.unique.drawn().size(), ArenaSequence.START, next)
                    .faults());
        }
        if (!watch.sequence.mode().drawsInTransaction()) {
            for (WorkerAccounts each : accounts) {
                Account account = each.generators().get(watch.sequence.generator());
                if (account != null) {
                    faults.addAll(new Conservation(
                                    account.reserved(),
                                    account.dealt(),
                                    account.lost(),
                                    account.givenBack(),
                                    account.unknown())
                            .faults());
                }
            }
        }
        return faults.isEmpty() ? List.of() : List.of(new Violation(Kind.NOT_CONSERVED, faults.size(), faults));
    }
}
