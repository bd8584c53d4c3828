// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.TransactionScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A round of POOLED: transactions that claim numbers, roll back to savepoints, or are abandoned; refills that fail. In
 * the end, the stored numbers and those in the pool together are what the counter has dealt.
 */
final class PoolRound<T> extends TransactionRound<T> {

    private final TransactionScope<T> scope;
    private final Instances<PooledSequence<T>> instances = new Instances<>();

    PoolRound(Ground<T> ground, RandomChoices chance) {
        super(ground, chance, false);
        scope = ground.scope(chance.split());
        Duration patience = patience();
        for (int i = chance.oneIn(3) ? 2 : 1; i > 0; i--) {
            PoolingStore<T> store = ground.pools(chance.split());
            StoreSequences instance = instance(new Ledger(), patience).build();
            instances.add(instance, instance.pooled(name, store));
        }
    }

    @Override
    boolean onlyBounds() {
        return true;
    }

    @Override
    int actions() {
        return 5 + chance.pick(60);
    }

    @Override
    void act(RandomChoices chance) {
        PooledSequence<T> sequence = instances.any(chance);
        attempt(inTransaction(scope, (transaction, keeping) -> {
            for (int left = 1 + chance.pick(6); left > 0; left--) {
                switch (chance.pick(8)) {
                    case 0, 1, 2 -> keeping.keep(sequence.next(transaction));
                    case 3, 4 ->
                        keeping.keepAll(
                                sequence.next(transaction, 1 + chance.pick(12)).values());
                    case 5 -> keeping.mark();
                    case 6 -> {
                        var unused = keeping.back(chance);
                    }
                    default -> chance.pause(300);
                }
            }
            if (chance.oneIn(4)) {
                throw new Refused();
            }
        }));
    }

    /** An exhausted sequence stays exhausted, unless an administrator moves its end. */
    @Override
    void expected(SequenceException failure) {
        super.expected(failure);
        if (failure instanceof SequenceException.Exhausted exhausted) {
            checkNothingLeft(exhausted, false);
        }
    }

    @Override
    String left() throws Exception {
        List<Long> laidOut = ground.laidOut();
        return laidOut.isEmpty() ? super.left() : "the pool has " + laidOut;
    }

    @Override
    void closeOne() throws Exception {
        instances.closeOne(chance);
    }

    @Override
    void drawOne() throws Exception {
        for (PooledSequence<T> sequence : instances.sequences()) {
            mustSucceed(inTransaction(scope, (transaction, keeping) -> keeping.keep(sequence.next(transaction))));
        }
    }

    @Override
    void close() {
        instances.close();
    }

    @Override
    String course(List<Long> numbers, List<Changes.Change> changes) throws Exception {
        List<Long> laidOut = ground.laidOut();
        List<Long> there = new ArrayList<>(numbers);
        there.addAll(laidOut);
        long step = first.definition().increment();
        there.sort(step > 0 ? Comparator.naturalOrder() : Comparator.reverseOrder());
        List<Long> dealt = new ArrayList<>();
        SequenceState last = now();
        for (long number = first.nextValue(); number != last.nextValue(); number += step) {
            dealt.add(number);
        }
        if (last.usedUp()) {
            dealt.add(last.nextValue());
        }
        if (there.equals(dealt)) {
            return "";
        }
        List<Long> missing = new ArrayList<>(dealt);
        there.forEach(missing::remove);
        dealt.forEach(there::remove);
        return "missing " + missing + ", stored twice or never dealt " + there + ", in the pool " + laidOut;
    }
}
