// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.GroupedSequence;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.GroupingStore;
import java.time.Duration;
import java.util.List;

/**
 * A round of GROUPED: units that draw, roll back to marks and savepoints, throw, cause conflicts, or fail without
 * reporting it. In the end, the stored numbers are what the counter has dealt, in order and without a gap.
 */
final class GroupRound<T> extends TransactionRound<T> {

    private final Instances<GroupedSequence<T>> instances = new Instances<>();

    GroupRound(Ground<T> ground, RandomChoices chance) {
        super(ground, chance, true);
        Duration patience = patience();
        for (int i = chance.oneIn(3) ? 2 : 1; i > 0; i--) {
            GroupingStore<T> store = ground.groups(chance.split());
            StoreSequences instance = instance(new Ledger(), patience).build();
            instances.add(instance, instance.grouped(name, store));
        }
    }

    @Override
    boolean onlyBounds() {
        return false;
    }

    @Override
    int actions() {
        return 5 + chance.pick(60);
    }

    @Override
    void act(RandomChoices chance) {
        GroupedSequence<T> sequence = instances.any(chance);
        attempt(attempt -> {
            var unused = sequence.<Boolean, Exception>commit(turn -> {
                work(turn, new Keeping<>(ground, turn.transaction(), attempt), sequence, chance);
                return true;
            });
        });
    }

    private void work(Turn<T> turn, Keeping<T> keeping, GroupedSequence<T> sequence, RandomChoices chance)
            throws Exception {
        for (int left = chance.pick(6); left > 0; left--) {
            switch (chance.pick(24)) {
                case 0, 1, 2, 3, 4, 5, 6 -> keeping.keep(turn.next());
                case 7, 8, 9, 10 ->
                    keeping.keepAll(turn.next(1 + chance.pick(5)).values());
                case 11, 12, 13 -> markTurn(turn, keeping);
                case 14, 15 -> keeping.mark();
                case 16, 17, 18, 19 -> {
                    var unused = keeping.back(chance);
                }
                case 20 -> {
                    if (chance.oneIn(3)) {
                        throw ground.conflict();
                    }
                }
                case 21 -> spoil(turn, keeping, chance);
                case 22 -> sequence.commit(inner -> false); // refused: it would wait for itself
                default -> chance.pause(300);
            }
        }
        if (chance.oneIn(12)) {
            throw new Refused();
        }
    }

    private static <T> void markTurn(Turn<T> turn, Keeping<T> keeping) {
        try {
            Turn.Mark mark = turn.mark();
            keeping.mark(mark::undo);
        } catch (UnsupportedOperationException e) {
            // not every store has them
        }
    }

    /** A statement fails: the unit lets the exception through, rolls back, or hides it. */
    private void spoil(Turn<T> turn, Keeping<T> keeping, RandomChoices chance) throws Exception {
        try {
            ground.spoil(turn.transaction());
        } catch (Exception e) {
            if (!keeping.back(chance) && chance.oneIn(2)) {
                throw e;
            }
        }
    }

    @Override
    void closeOne() throws Exception {
        instances.closeOne(chance);
    }

    @Override
    void drawOne() throws Exception {
        for (GroupedSequence<T> sequence : instances.sequences()) {
            mustSucceed(attempt -> {
                var unused = sequence.<Boolean, Exception>commit(turn -> {
                    new Keeping<>(ground, turn.transaction(), attempt).keep(turn.next());
                    return true;
                });
            });
        }
    }

    @Override
    void close() {
        instances.close();
    }

    @Override
    String course(List<Long> numbers, List<Changes.Change> changes) {
        return Course.fault(first, changes, numbers, now());
    }
}
