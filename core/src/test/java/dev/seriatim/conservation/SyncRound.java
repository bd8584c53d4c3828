// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.Sequence;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.util.List;

/**
 * A round of SYNC: transactions that draw in every way and roll back to savepoints. In the end, the stored numbers are
 * what the counter has dealt, in order and without a gap.
 */
final class SyncRound<T> extends TransactionRound<T> {

    private final TransactionScope<T> scope;
    private final TransactionalSequence<T> sequence;

    SyncRound(Ground<T> ground, RandomChoices chance) {
        super(ground, chance, true);
        scope = ground.scope(chance.split());
        sequence = TransactionalSequence.of(scope, name).patience(patience());
    }

    @Override
    boolean onlyBounds() {
        return false;
    }

    @Override
    int actions() {
        return 5 + chance.pick(40);
    }

    @Override
    void act(RandomChoices chance) {
        attempt(inTransaction(scope, (transaction, keeping) -> {
            Sequence within = sequence.within(transaction);
            for (int left = 1 + chance.pick(8); left > 0; left--) {
                switch (chance.pick(9)) {
                    case 0, 1 -> keeping.keep(sequence.next(transaction));
                    case 2 ->
                        keeping.keepAll(
                                sequence.next(transaction, 1 + chance.pick(5)).values());
                    case 3 -> keeping.keep(within.next());
                    case 4 -> keeping.keepAll(within.next(1 + chance.pick(5)).values());
                    case 5 ->
                        keeping.keep(within.nextAsync().toCompletableFuture().join());
                    case 6 -> {
                        within.close();
                        within = sequence.within(transaction);
                    }
                    case 7 -> keeping.mark();
                    default -> {
                        var unused = keeping.back(chance);
                    }
                }
            }
            within.close();
            if (chance.oneIn(5)) {
                throw new Refused();
            }
        }));
    }

    @Override
    void drawOne() throws Exception {
        mustSucceed(inTransaction(scope, (transaction, keeping) -> keeping.keep(sequence.next(transaction))));
    }

    @Override
    String course(List<Long> numbers, List<Changes.Change> changes) {
        return Course.fault(first, changes, numbers, now());
    }
}
