// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.GroupingStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Chooses the exception for callers that time out or are interrupted. Under the line's lock, on the caller's thread. */
record GroupFailures<T>(SequenceContext context, GroupingStore<T> store, Groups<T> groups) {

    /** For a caller whose turn has not come. */
    SequenceException noTurn(Member<T> member) {
        Throwable why = interruption();
        if (why != null) {
            return new SequenceException.Unavailable(
                    context.name(), "interrupted while waiting for a turn; nothing was committed", why);
        }
        String waited = " within " + context.patience().toMillis() + " ms";
        if (member.standsApart()) {
            return new SequenceException.Overloaded(
                    context.name(),
                    "not committed" + waited
                            + ": its own unit of work conflicted with another session each of the " + member.conflicts
                            + " times it ran; nothing was committed, see the cause",
                    member.conflict);
        }
        Optional<String> awaited = StoreFailures.waitedFor(store, context.patience());
        String held = GroupLine.RUNNING.get();
        if (held != null && awaited.isEmpty()) {
            return new SequenceException.Overloaded(
                    context.name(),
                    "no turn" + waited + ", nothing was committed; this thread holds the turn of sequence "
                            + Messages.quoted(held)
                            + ", and units of two sequences deadlock if nested in different orders: nest them in the"
                            + " same order everywhere",
                    groups.lastTrouble());
        }
        if (groups.unitRuns()) {
            return noTurn(waited);
        }
        if (awaited.isPresent()) {
            return new SequenceException.Unavailable(
                    context.name(), "nothing was committed, " + awaited.get(), groups.lastTrouble());
        }
        if (groups.waitsForLock()) {
            return new SequenceException.Overloaded(
                    context.name(),
                    "no lock on its counter" + waited
                            + " although the store answers, so another transaction holds it, or the connection is stuck; nothing was committed, end that transaction or wait longer",
                    groups.lastTrouble());
        }
        SequenceException notBegun = groups.whyNotBegun(member.answersBefore);
        if (notBegun != null) {
            return new SequenceException.Overloaded(
                    context.name(),
                    "no transaction could be begun" + waited + ", nothing was committed; the last attempt: "
                            + notBegun.getMessage(),
                    notBegun);
        }
        if (groups.answersSince(member.answersBefore)) {
            return noTurn(waited);
        }
        return new SequenceException.Unavailable(
                context.name(),
                "no answer from " + store + waited
                        + ", nothing was committed; check that it runs and is reachable, and that no transaction holds the lock on"
                        + " this sequence; the next call tries again",
                groups.lastTrouble());
    }

    private SequenceException noTurn(String waited) {
        return new SequenceException.Overloaded(
                context.name(),
                "no turn" + waited
                        + " although the store answers, nothing was committed; make the units of work shorter, or wait longer",
                groups.lastTrouble());
    }

    /** For a caller that does not know the outcome of a commit or rollback. */
    SequenceException noAnswer(String to) {
        Throwable why = interruption();
        return new SequenceException.CommitOutcomeUnknown(
                context.name(),
                why != null
                        ? "interrupted before the store answered " + to
                        : "the patience of " + context.patience().toMillis() + " ms ended before the store answered "
                                + to,
                why);
    }

    /** For a caller whose unit has run in a transaction that was not committed in time. */
    SequenceException notCommitted() {
        Throwable why = interruption();
        return why != null
                ? new SequenceException.Unavailable(
                        context.name(), "interrupted before the commit was sent; nothing was committed", why)
                : new SequenceException.Overloaded(
                        context.name(),
                        "not committed within " + context.patience().toMillis()
                                + " ms, since another caller's unit of work took too long; nothing was committed, make the units shorter or wait longer",
                        null);
    }

    private static @Nullable InterruptedException interruption() {
        return Thread.currentThread().isInterrupted() ? new InterruptedException("the caller was interrupted") : null;
    }
}
