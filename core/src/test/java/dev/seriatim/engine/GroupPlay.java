// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.conservation.Listening;
import dev.seriatim.memory.PlayedStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * GROUPED: units that draw and store their numbers, take their time, roll back to a mark, throw, invalidate the
 * transaction for later units, or cause conflicts. What is committed is exactly start … counter, in the order of the
 * commits. A unit is committed once if its caller got a result, never if its caller got an exception that nothing was
 * committed, and otherwise at most once.
 */
final class GroupPlay extends Play {

    private final List<GroupedSequence<PlayedStore.Work>> sequences = new ArrayList<>();
    private final List<Unit> units = new ArrayList<>();

    /** Percentage of misbehaving units. */
    private final int misbehaving;

    private int clock;

    /** The result that a caller got. */
    private enum Told {
        NOTHING_YET,
        COMMITTED,
        NOT_COMMITTED,
        UNKNOWN
    }

    private static final class Unit {
        private final int id;
        private final List<List<Long>> runs = new ArrayList<>();
        private Told told = Told.NOTHING_YET;
        private @Nullable Throwable threw;
        private int began;
        private int ended;
        private long worked;

        Unit(int id) {
            this.id = id;
        }
    }

    /** An exception of a unit. */
    private static final class Own extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Own() {
            super("a unit's own", null, false, false);
        }
    }

    /** An error of a unit. */
    private static final class OwnError extends Error {
        private static final long serialVersionUID = 1L;

        OwnError() {
            super("a unit's own", null, false, false);
        }
    }

    GroupPlay(Schedule schedule) {
        super(schedule, SequenceDefinition.named("s").startWith(3L).build());
        misbehaving = schedule.chance(40) ? 0 : 5 + schedule.pick(40);
        plain &= misbehaving == 0;
    }

    @Override
    void open() {
        store.trouble = trouble;
        store.savepoints = schedule.chance(60);
        openProcesses(
                "GROUPED, misbehaving " + misbehaving + " %" + (store.savepoints ? ", savepoints" : ""),
                25,
                process(store, new Listening()),
                process -> sequences.add(process.grouped("s", store)));
    }

    @Override
    void act() {
        GroupedSequence<PlayedStore.Work> sequence = sequences.get(schedule.pick(sequences.size()));
        Unit unit = new Unit(units.size());
        units.add(unit);
        commit(sequence, unit);
        schedule.offer("has committed");
    }

    private void commit(GroupedSequence<PlayedStore.Work> sequence, Unit unit) {
        unit.began = clock++;
        Schedule.Actor me = schedule.me();
        long since = schedule.now();
        long passed = schedule.passed();
        long stored = me.storeNanos;
        schedule.note("commit(unit " + unit.id + ")");
        try {
            List<Long> numbers = sequence.commit(turn -> run(unit, turn));
            unit.told = Told.COMMITTED;
            schedule.note("unit " + unit.id + " is committed: " + numbers);
            if (numbers != unit.runs.get(unit.runs.size() - 1)) {
                schedule.fault("the result of unit " + unit.id + " is not that of its last run");
            }
        } catch (SequenceException.CommitOutcomeUnknown e) {
            unit.told = Told.UNKNOWN;
            failed("unit " + unit.id, e);
        } catch (RuntimeException | Error e) {
            unit.told = Told.NOT_COMMITTED;
            if (e == unit.threw) {
                schedule.note("unit " + unit.id + " throws its " + e);
            } else {
                failed("unit " + unit.id, e);
            }
        }
        unit.ended = clock++;
        long took = schedule.now() - since - (schedule.passed() - passed) - (me.storeNanos - stored) - unit.worked;
        long most = patience.toNanos() + 103 * MILLI + (unit.threw != null ? patience.toNanos() + 100 * MILLI : 0);
        if (took > most) {
            schedule.fault("unit " + unit.id + " took " + took / 1e6
                    + " ms in addition to its own work, with a patience of " + patience.toMillis() + " ms");
        }
        checkOnce(unit);
    }

    private List<Long> run(Unit unit, Turn<PlayedStore.Work> turn) {
        Schedule.Actor me = schedule.me();
        long since = schedule.now();
        long passed = schedule.passed();
        long stored = me.storeNanos;
        List<Long> numbers = new ArrayList<>();
        unit.runs.add(numbers);
        checkOnce(unit);
        try {
            schedule.note("unit " + unit.id + " runs");
            work(unit, turn, numbers);
            return numbers;
        } catch (Throwable e) {
            unit.threw = e;
            throw e;
        } finally {
            unit.worked += schedule.now() - since - (schedule.passed() - passed) - (me.storeNanos - stored);
        }
    }

    private void work(Unit unit, Turn<PlayedStore.Work> turn, List<Long> numbers) {
        int draws = 1 + schedule.pick(2);
        for (int i = 0; i < draws; i++) {
            enter(unit, turn, numbers);
            schedule.offer("works");
        }
        if (store.savepoints && schedule.chance(10)) {
            Turn.Mark mark = turn.mark();
            List<Long> undone = new ArrayList<>();
            enter(unit, turn, undone);
            if (schedule.chance(50)) {
                mark.undo();
            } else {
                numbers.addAll(undone);
            }
        }
        if (schedule.chance(20)) {
            schedule.sleep(schedule.pick(30) * MILLI, "works");
        }
        if (misbehaving > 0 && schedule.chance(troubled ? misbehaving : 0)) {
            misbehave(turn);
        }
    }

    private void misbehave(Turn<PlayedStore.Work> turn) {
        int how = schedule.pick(6);
        switch (how) {
            case 0 -> throw new Own();
            case 1 -> throw new OwnError();
            case 2, 3 -> throw new PlayedStore.Conflict();
            case 4 -> {
                turn.transaction().spoil();
                throw new Own();
            }
            default -> turn.transaction().spoil(); // and hides it
        }
    }

    private void enter(Unit unit, Turn<PlayedStore.Work> turn, List<Long> numbers) {
        long number = turn.next();
        turn.transaction().enter(number, unit.id);
        numbers.add(number);
    }

    private Set<Long> committed(Unit unit) {
        return store.committed.stream()
                .filter(entry -> entry.unit() == unit.id)
                .map(PlayedStore.Entry::number)
                .collect(Collectors.toSet());
    }

    /** Checks that what is committed of a unit matches the result of its caller, and comes from one run. */
    private void checkOnce(Unit unit) {
        Set<Long> committed = committed(unit);
        boolean should = unit.told == Told.COMMITTED;
        boolean may = should || unit.told == Told.UNKNOWN;
        if (committed.isEmpty() ? should : !may) {
            schedule.fault("unit " + unit.id + " got " + unit.told + ", and committed are " + committed);
        }
        if (!committed.isEmpty() && unit.runs.stream().noneMatch(run -> new HashSet<>(run).equals(committed))) {
            schedule.fault("of unit " + unit.id + " the numbers " + committed + " are committed, and its runs drew "
                    + unit.runs);
        }
    }

    @Override
    void dealsAgain() {
        // After a commit of this process that hangs, a hanging begin may be merely waiting for its lock.
        if (store.hanging > 1 || store.held()) {
            schedule.sleep(3600_000 * MILLI, "lets hang what hangs");
        }
        for (GroupedSequence<PlayedStore.Work> sequence : sequences) {
            Unit unit = new Unit(units.size());
            units.add(unit);
            commit(sequence, unit);
            if (unit.told != Told.COMMITTED) {
                schedule.fault("the trouble has ended, and the next unit is not committed");
            }
        }
    }

    @Override
    void settle() {
        units.forEach(this::checkOnce);
        store.checkGapless();
        store.checkRising();
        for (Unit earlier : units) {
            for (Unit later : units) {
                if (earlier.told == Told.COMMITTED
                        && later.told == Told.COMMITTED
                        && earlier.ended < later.began
                        && earlier.runs.get(earlier.runs.size() - 1).get(0)
                                > later.runs.get(later.runs.size() - 1).get(0)) {
                    schedule.fault("out of order: units " + earlier.id + " and " + later.id);
                }
            }
        }
    }
}
