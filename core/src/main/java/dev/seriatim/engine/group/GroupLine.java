// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.UnitOfWork;
import dev.seriatim.UnitStart;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Shutdown;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.SequenceState;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The callers' side of a {@link GroupedSequence}: each member waits in a fair line for its turn, runs its unit on its own thread,
 * and waits for the commit, at most until its deadline. {@link Groups} is the store's side. Thread-safe.
 *
 * <p>The lock is held only to decide. What follows from a decision, such as a call to the store, is a {@link Runnable} that runs
 * outside the lock.
 */
public final class GroupLine<T> implements GroupedSequence<T> {

    public static final UnitStart<Object> NO_START = transaction -> {};

    /** The sequence whose unit this thread runs; the innermost if units are nested. */
    static final ThreadLocal<@Nullable String> RUNNING = new ThreadLocal<>();

    final SequenceContext context;
    final GroupingStore<T> store;
    private final UnitStart<? super T> start;

    // Under the lock:
    final ArrayDeque<Member<T>> waiting = new ArrayDeque<>();

    /** Members that pause before they queue again behind the others. */
    final Set<Member<T>> apart = new HashSet<>();

    private final ReentrantLock lock;
    private final Condition change;
    private final Shutdown shutdown;
    private final Groups<T> groups;
    private final GroupFailures<T> failures;

    public GroupLine(SequenceContext context, GroupingStore<T> store, UnitStart<? super T> start) {
        this.context = context;
        this.store = store;
        this.start = start;
        this.lock = context.timing().lock();
        this.change = lock.newCondition();
        this.shutdown = new Shutdown(context, lock, change);
        this.groups = new Groups<>(this);
        this.failures = new GroupFailures<>(context, store, groups);
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    @SuppressWarnings("NullAway") // a committed member has run, and the result is that of its last run
    public <R extends @Nullable Object, X extends Exception> R commit(UnitOfWork<T, R, X> unit) throws X {
        Member<T> member = join();
        R result = null;
        try {
            while (called(member)) {
                Group<T> group = takeTurn(member);
                if (group != null) {
                    result = run(unit, member, group);
                }
            }
        } finally {
            member.staysInterrupted();
        }
        return result;
    }

    @Override
    public void close() {
        shutdown.run(this::turnAway, () -> groups.idle() && waiting.isEmpty() && apart.isEmpty(), deadline -> {});
    }

    @Override
    public String toString() {
        return "GROUPED " + Messages.quoted(name());
    }

    /** Takes a decision under the lock, and runs the resulting action outside. */
    void decide(Supplier<Runnable> decision) {
        Runnable consequence;
        lock.lock();
        try {
            consequence = decision.get();
            change.signalAll();
        } finally {
            lock.unlock();
        }
        consequence.run();
    }

    /** Returns members to the head of the line, in order. Under the lock. */
    void backInFront(List<Member<T>> members) {
        for (int i = members.size() - 1; i >= 0; i--) {
            waiting.addFirst(members.get(i));
        }
    }

    // The steps of commit(); tests run them for several callers on one thread.

    Member<T> join() {
        context.checkMayWait();
        Member<T> member = new Member<>(context.timing(), context.patienceNanos());
        decide(() -> {
            shutdown.checkOpen();
            groups.checkNotStopped();
            if (groups.runsUnitOn(member.thread)) {
                throw new IllegalStateException("sequence " + Messages.quoted(context.name())
                        + ": a unit of work of this sequence runs on this thread, and a second one"
                        + " inside it would wait forever; draw with the turn that the unit was given");
            }
            member.answersBefore = groups.answers();
            waiting.add(member);
            return groups.start(true);
        });
        return member;
    }

    /** Waits. Returns true when it is the member's turn, false when the work of its last turn has been committed. */
    boolean called(Member<T> member) {
        while (true) {
            switch (member.place) {
                case CALLED -> {
                    return true;
                }
                case COMMITTED -> {
                    return false;
                }
                case FAILED -> throw failureOf(member);
                default -> {
                    if (member.givesUp()) {
                        leave(member);
                    } else {
                        member.await();
                        if (member.place == Member.Place.WAITING) {
                            decide(groups::check);
                        }
                    }
                }
            }
        }
    }

    /** Returns the group in which it is the member's turn, or null if the member has to wait again. */
    @Nullable
    Group<T> takeTurn(Member<T> member) {
        Group<T> group = groupOf(member);
        decide(() -> {
            if (group.doomed) {
                member.again();
                waiting.addFirst(member);
                return groups.rollBack(group, null);
            }
            if (member.givesUp()) {
                member.again();
                return groups.passOn(group, null);
            }
            member.place = Member.Place.RUNNING;
            member.begun = true;
            group.slot.step(member.thread, context.timing().now());
            return Groups.NOTHING;
        });
        return member.place == Member.Place.RUNNING ? group : null;
    }

    /** The result is valid only if the group is committed. */
    <R extends @Nullable Object, X extends Exception> @Nullable R run(
            UnitOfWork<T, R, X> unit, Member<T> member, Group<T> group) throws X {
        boolean marked;
        try {
            marked = group.mark();
        } catch (Throwable e) {
            decide(() -> groups.markFailed(group, member, e));
            return null;
        }
        long began = context.timing().now();
        GroupTurn<T> turn = new GroupTurn<>(group.transaction, group.counter);
        String outer = RUNNING.get();
        RUNNING.set(context.name());
        R result;
        try {
            prepare(turn);
            result = unit.run(turn);
        } catch (Throwable thrown) {
            turn.end();
            member.worked(context.timing().now() - began);
            if (isItsOwn(thrown, member, group, marked)) {
                throw thrown;
            }
            return null;
        } finally {
            RUNNING.set(outer);
        }
        SequenceState after = turn.end();
        member.worked(context.timing().now() - began);
        decide(() -> groups.unitRan(group, member, after));
        return result;
    }

    private void prepare(Turn<T> turn) {
        if (start == NO_START) {
            return;
        }
        try {
            start.prepare(turn.transaction());
        } catch (RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SequenceException.Unavailable(
                    context.name(), "interrupted before its unit of work began, nothing was committed", e);
        } catch (Exception e) {
            throw new SequenceException.Misconfigured(
                    context.name(),
                    "its UnitStart threw " + Messages.shown(e) + ", nothing was committed; see the cause",
                    e);
        }
    }

    /** Undoes a unit that threw. Returns true if its caller gets the exception, false if the unit runs again. */
    private boolean isItsOwn(Throwable thrown, Member<T> member, Group<T> group, boolean marked) {
        switch (group.blame(thrown)) {
            case OTHER_SESSION -> {
                decide(() -> groups.conflicted(group, member, thrown));
                return false;
            }
            case EARLIER_UNIT -> {
                if (group.units > 0 && !marked) {
                    decide(() -> groups.separate(group, member));
                    return false;
                }
            }
            case UNIT -> {}
        }
        boolean undone = marked && group.undo();
        decide(() -> groups.unitFailed(group, member, undone));
        if (!undone) {
            awaitUndoing(member, thrown);
        }
        return true;
    }

    /** Waits for the rollback, which may show that the unit had ended the transaction before it threw. */
    private void awaitUndoing(Member<T> member, Throwable thrown) {
        member.untilUndone();
        while (member.place == Member.Place.RETURNING && !member.givesUp()) {
            member.await();
        }
        member.staysInterrupted();
        if (member.place == Member.Place.FAILED) {
            RuntimeException failure = failureOf(member);
            failure.addSuppressed(thrown);
            throw failure;
        }
    }

    /** Ends the member's wait, unless its place has changed. */
    private void leave(Member<T> member) {
        decide(() -> {
            switch (member.place) {
                case WAITING -> {
                    waiting.remove(member);
                    apart.remove(member);
                    member.fail(failures.noTurn(member));
                }
                case RAN -> {
                    groupOf(member).left(member);
                    member.fail(failures.notCommitted());
                }
                case SENT, RETURNING -> {
                    groupOf(member).ran.remove(member);
                    member.fail(failures.noAnswer(member.place == Member.Place.SENT ? "the commit" : "the rollback"));
                }
                default -> {
                    return Groups.NOTHING;
                }
            }
            return groups.start(false);
        });
    }

    /** Turns away the members whose units have not run; the others are still served. Under the lock. */
    private Runnable turnAway() {
        List<Member<T>> turnedAway =
                waiting.stream().filter(member -> !member.begun).toList();
        waiting.removeAll(turnedAway);
        turnedAway.forEach(member -> member.fail(context.closedFailure()));
        return () -> turnedAway.forEach(Member::wake);
    }

    private static <T> Group<T> groupOf(Member<T> member) {
        return Objects.requireNonNull(member.group);
    }

    private static RuntimeException failureOf(Member<?> member) {
        RuntimeException failure = Objects.requireNonNull(member.failure);
        return failure instanceof SequenceException shared ? shared.again() : failure;
    }
}
