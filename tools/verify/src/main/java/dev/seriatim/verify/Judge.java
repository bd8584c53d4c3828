// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.check.Conservation;
import dev.seriatim.check.GapCheck;
import dev.seriatim.check.Gaps;
import dev.seriatim.check.ValueSet;
import dev.seriatim.verify.Violation.Kind;
import dev.seriatim.verify.worker.WorkerAccounts;
import dev.seriatim.verify.worker.WorkerAccounts.Account;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Compares the draws with the store. */
record Judge(Arena arena) {

    /** The session of a killed process may end a little later. */
    private static final long LONGEST_SETTLING_SECONDS = 30;

    private static final long PAUSE_MILLIS = 100;

    /** A ledger at the end. */
    record Ledger(long rows, List<Violation> violations) {}

    /** Checks during the run whether a ledger and its counter match. Returns the mismatch, if any. */
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

    /** Compares the whole ledger with the acknowledged numbers, after the last draw. */
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
                        "the table " + of.ledger()
                                + " still changes although no process draws; look for a session that is" + " stuck",
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
                .allReported() // a lane reports numbers before it commits: those of a killed process are unsure
                .check(stored.values());
    }

    /** Compares the counter with the draws, and the accounts of each process with its draws. */
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
