// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.Retry;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Step;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.engine.dispatch.Tasks;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a {@link GroupLine}: when one begins, who gets the turn in it, when it is committed, and what becomes
 * of its members when that fails. Called under the line's lock; each decision returns what to do when the lock has been released.
 *
 * <p>One transaction at a time takes in callers. One whose present step lasts longer than half of the patience is abandoned,
 * so that a connection which died unnoticed does not stop the sequence: the next begins, and waits in the database for the
 * counter's lock if it must.
 */
final class Groups<T> {

    /** Nothing follows. */
    static final Runnable NOTHING = () -> {};

    /** Maximum time, from the first unit's end, for which a transaction takes in callers: that unit's caller waits. */
    private static final long MAX_OPEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final GroupLine<T> line;
    private final SequenceContext context;
    private final GroupCalls<T> calls;
    private final SavepointPolicy policy = new SavepointPolicy();
    private final Retry retry;
    private final Tasks<Slot> slots;

    /** How many times the store has answered callers, with a commit or with a conflict. */
    private long answers;

    private @Nullable SequenceException lastFailure;
    private @Nullable Throwable lastConflict;

    /** The counter as our last commit left it. */
    private @Nullable SequenceState committed;

    /** The counter was found behind that: nothing more is dealt. */
    private SequenceException.@Nullable Regressed stopped;

    /** Others were in the way of the last attempt to begin a transaction. */
    private @Nullable SequenceException notBegun;

    Groups(GroupLine<T> line) {
        this.line = line;
        this.context = line.context;
        this.calls = new GroupCalls<>(line, this);
        this.retry = new Retry(context.timing);
        this.slots = new Tasks<>(context.timing, context.patienceNanos() / 2, 1);
    }

    long answers() {
        return answers;
    }

    /** Whether no transaction may still serve its members. Callers who wait for an abandoned beginning are in the line, too. */
    boolean idle() {
        return slots.isEmpty() && !slots.anyAbandoned(slot -> !slot.beginning);
    }

    boolean runsUnitOn(Thread thread) {
        return slots.any(slot -> slot.worker == thread);
    }

    void checkNotStopped() {
        if (stopped != null) {
            throw stopped.again();
        }
    }

    /** Whether the transaction in front waits for the counter's lock, which another session holds. */
    boolean waitsForLock() {
        Slot current = slots.oldest();
        return current != null && current.beginning && slots.any(slot -> slot.beginning && slot.locked);
    }

    /** Why no transaction could be begun for a caller who joined after this many answers; null if one could, or no reason is known. */
    @Nullable
    SequenceException whyNotBegun(long answersBefore) {
        Slot current = slots.oldest();
        boolean begun = current != null && !current.beginning;
        return !begun && answersSince(answersBefore) ? notBegun : null;
    }

    /** Whether the store has answered since, or has not been asked since it answered. */
    boolean answersSince(long answersBefore) {
        return answers > answersBefore || (slots.isEmpty() && lastConflict != null);
    }

    /** Whether a unit runs, and others wait for its end. */
    boolean unitRuns() {
        return slots.any(slot -> slot.worker != null);
    }

    /** What went wrong since the last commit, most telling first. */
    @Nullable
    Throwable lastTrouble() {
        return lastConflict != null ? lastConflict : lastFailure;
    }

    /** Begins a transaction, if one is called for. */
    Runnable start() {
        return start(false);
    }

    /** The same; on the thread of a caller who has just joined and waits for it, if {@code byCaller}. */
    Runnable start(boolean byCaller) {
        abandonOverdue();
        if (!slots.isEmpty() || line.waiting.isEmpty() || retry.scheduled()) {
            return NOTHING;
        }
        long pause = retry.pause();
        if (pause > 0) {
            retry.schedule();
            return () -> handAfter(pause, this::startAfterPause);
        }
        return startNow(byCaller);
    }

    /** Decides after a pause; at once when there is no thread for the clock. */
    private void handAfter(long pause, Supplier<Runnable> decision) {
        Step step = () -> line.decide(decision);
        context.after(pause, () -> context.execute(step), noThread -> step.run());
    }

    private Runnable startAfterPause() {
        retry.due();
        return slots.isEmpty() && !line.waiting.isEmpty() ? startNow(false) : NOTHING;
    }

    private Runnable startNow(boolean byCaller) {
        Slot slot = new Slot(committed);
        slots.add(slot);
        slots.begin(slot); // a beginning goes on although it is abandoned, so it counts
        return () -> calls.begin(slot, byCaller);
    }

    /** Looks after the step that all wait for; called by those who wait, now and then. */
    Runnable look() {
        Slot current = slots.oldest();
        // A unit that takes its time is not the store's affair: only newcomers go past it.
        Runnable next = current != null && current.worker != null ? NOTHING : start();
        Slot slot = slots.oldest();
        if (slot == null
                || !slot.beginning
                || slot.probed
                || slot.stepLasts(context.timing.now()) < context.patienceNanos() / 4) {
            return next;
        }
        if (StoreFailures.awaited(line.store, Duration.ZERO).isPresent()) {
            return next; // a probe would wait for the same
        }
        slot.probed = true;
        return () -> {
            next.run();
            calls.probe(slot);
        };
    }

    /** Gives the turn to the next in line, or closes the group. */
    Runnable passOn(Group<T> group) {
        return passOn(group, null);
    }

    private Runnable passOn(Group<T> group, @Nullable Member<T> last) {
        if (group.doomed) {
            return rollBack(group, null);
        }
        Member<T> next = line.waiting.peek();
        if (next == null || group.slot.abandoned() || !group.takes(next)) {
            return close(group, last);
        }
        line.waiting.remove();
        next.calledTo(group);
        step(group);
        return next::wake;
    }

    Runnable unitRan(Group<T> group, Member<T> member, SequenceState after) {
        group.ran(member, after);
        return passOn(group, member);
    }

    /** A unit threw, and its caller goes with the exception: at once, or when all of the transaction is undone. */
    Runnable unitFailed(Group<T> group, Member<T> member, boolean undone) {
        policy.unitFailed(group.units);
        if (undone) {
            return passOn(group);
        }
        group.thrower = member;
        return rollBack(group, null);
    }

    /** Another session was in the way of a unit. */
    Runnable conflicted(Group<T> group, Member<T> member, Throwable why) {
        member.conflicted(why);
        if (!member.standsApart()) {
            pauseAfterConflict(why);
        }
        return rollBack(group, member);
    }

    /** Before a member's turn, the transaction turned out to be of no use any more. Nothing of its work is in it. */
    Runnable markFailed(Group<T> group, Member<T> member, Throwable why) {
        member.again();
        line.waiting.addFirst(member);
        if (why instanceof SequenceException.Overloaded) {
            pauseAfterConflict(why);
        } else {
            member.alone = true;
            group.ran.forEach(other -> other.alone = true);
        }
        return rollBack(group, null);
    }

    private void pauseAfterConflict(Throwable why) {
        answers++;
        lastConflict = why;
        retry.conflicted();
    }

    /** One unit has spoiled it for all, and it is not known which: each gets a transaction to itself, and so does the last. */
    Runnable partCompany(Group<T> group, Member<T> last) {
        last.alone = true;
        group.ran.forEach(member -> member.alone = true);
        return rollBack(group, last);
    }

    /**
     * Ends the transaction. Its members, and the one whose turn it is if it has to run again, go back to their places when that
     * has been done, and not before: a unit that ended the transaction itself may have committed their work.
     */
    Runnable rollBack(Group<T> group, @Nullable Member<T> again) {
        if (again != null) {
            group.ran.add(again);
        }
        group.returning();
        step(group);
        return () -> calls.rollBack(group);
    }

    private Runnable close(Group<T> group, @Nullable Member<T> last) {
        if (group.units == 0) {
            return rollBack(group, null);
        }
        group.sent();
        step(group);
        return () -> calls.commit(group, last);
    }

    private void step(Group<T> group) {
        group.slot.step(null, context.timing.now());
    }

    private void abandonOverdue() {
        Slot hung = slots.overdue();
        // Behind a transaction of our own that holds the counter's lock, one is enough to wait for it.
        if (hung != null && (!hung.beginning || !slots.anyAbandoned(slot -> !slot.beginning))) {
            slots.abandon(hung);
        }
    }

    // What the calls to the store have come to

    Runnable began(Slot slot, SharedTransaction<T> transaction, SequenceState counter) {
        slot.beginning = false;
        notBegun = null;
        long open = Math.min(MAX_OPEN_NANOS, context.patienceNanos() / 4);
        Group<T> group = new Group<>(context.timing, transaction, counter, slot, policy, open);
        SequenceState before = slot.committedBefore;
        if (before == null || !counter.isBehind(before)) {
            return passOn(group);
        }
        SequenceException.Regressed regressed =
                new SequenceException.Regressed(context.name, counter.nextValue(), before.lastDealt());
        stopped = regressed;
        List<Member<T>> told = failAll(regressed, member -> true);
        Runnable end = rollBack(group, null);
        return () -> {
            end.run();
            told.forEach(Member::wake);
            context.listener.call(l -> l.failed(context.name, regressed));
        };
    }

    /** A caller's thread could not begin it: only from now on is the store asked in earnest. */
    Runnable handedOver(Slot slot) {
        slot.step(null, context.timing.now());
        return NOTHING;
    }

    Runnable answered(Slot slot) {
        slot.locked = true;
        return NOTHING;
    }

    Runnable notBegun(Slot slot, SequenceException failure) {
        slot.beginning = false;
        List<Member<T>> told = List.of();
        if (failure instanceof SequenceException.Overloaded) {
            notBegun = failure;
            pauseAfterConflict(failure);
        } else if (!slot.abandoned()) {
            lastFailure = failure;
            lastConflict = null;
            notBegun = null;
            retry.failed(failure);
            boolean refused = retry.refused();
            // For those who came later it may be otherwise, as for a sequence that has been created since.
            told = failAll(failure, member -> !refused || member.joined - slot.calledAt() <= 0);
        }
        return ended(slot, told);
    }

    /** Fails those of all who wait for a turn. */
    private List<Member<T>> failAll(SequenceException failure, Predicate<Member<T>> whom) {
        List<Member<T>> told = Stream.concat(line.waiting.stream(), line.apart.stream())
                .filter(whom)
                .toList();
        line.waiting.removeIf(whom);
        line.apart.removeIf(whom);
        told.forEach(member -> member.fail(failure));
        return told;
    }

    Runnable committed(Group<T> group) {
        answers++;
        lastConflict = null;
        lastFailure = null;
        retry.succeeded();
        policy.committed();
        // A counter that was only looked at may have been others', who can give their values back.
        if (group.hasDrawn() && (committed == null || committed.isBehind(group.counter))) {
            committed = group.counter;
        }
        List<Member<T>> told = group.dissolve();
        told.forEach(member -> member.place = Member.Place.COMMITTED);
        return ended(group.slot, told);
    }

    Runnable notCommitted(Group<T> group, SequenceException failure) {
        boolean single = group.units == 1;
        List<Member<T>> members = group.dissolve();
        if (failure instanceof SequenceException.Overloaded) {
            members.forEach(single ? member -> member.conflicted(failure) : Member::lostItsGroup);
            if (!members.stream().allMatch(Member::standsApart)) {
                pauseAfterConflict(failure);
            }
        } else if (failure instanceof SequenceException.CommitOutcomeUnknown || single) {
            members.forEach(member -> member.fail(failure));
            return ended(group.slot, members);
        } else {
            members.forEach(member -> member.alone = true);
        }
        return again(group, members);
    }

    Runnable rolledBack(Group<T> group) {
        Member<T> thrower = group.thrower;
        List<Member<T>> members = group.dissolve();
        Runnable next = again(group, members);
        if (thrower == null) {
            return next;
        }
        thrower.place = Member.Place.UNDONE;
        return () -> {
            thrower.wake();
            next.run();
        };
    }

    /** Before it could be rolled back, the transaction had been ended: what was done in it may be committed. */
    Runnable endedBefore(Group<T> group, SequenceException failure) {
        List<Member<T>> told = group.dissolve();
        if (group.thrower != null) {
            told.add(group.thrower);
        }
        told.forEach(member -> member.fail(failure));
        return ended(group.slot, told);
    }

    /** Nothing of a group is committed: its members go back in front, but those whose own units conflict go behind the others. */
    private Runnable again(Group<T> group, List<Member<T>> members) {
        List<Member<T>> apart = members.stream().filter(Member::standsApart).toList();
        members.removeAll(apart);
        line.backInFront(members);
        line.apart.addAll(apart);
        Runnable next = ended(group.slot, List.of());
        return () -> {
            next.run();
            apart.forEach(member -> handAfter(member.pauseNanos(), () -> queueBehind(member)));
        };
    }

    private Runnable queueBehind(Member<T> member) {
        if (line.apart.remove(member)) {
            line.waiting.add(member);
        }
        return start();
    }

    /** The next transaction begins before the members of this one wake, since they will want to join it. */
    private Runnable ended(Slot slot, List<Member<T>> told) {
        slots.end(slot);
        Runnable next = start();
        return () -> {
            next.run();
            told.forEach(Member::wake);
        };
    }
}
