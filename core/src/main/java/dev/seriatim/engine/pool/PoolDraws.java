// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.pool;

import dev.seriatim.Numbers;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The callers' side of a pool: a draw claims numbers that are laid out, or else takes them from the counter. Thread-safe. */
public final class PoolDraws<T> implements PooledSequence<T> {

    private final SequenceContext context;
    private final PoolingStore<T> store;
    private final Pool<T> pool;
    private final PoolSupply supply;

    public PoolDraws(SequenceContext context, PoolingStore<T> store) {
        this.context = context;
        this.store = store;
        pool = store.pool(context.name());
        supply = new PoolSupply(context, store, pool);
    }

    /** Lays out the first numbers in the background, if there are none. */
    public void layOutAhead() {
        supply.refillIfDue();
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public long next(T transaction) {
        return take(transaction, 1).get(0);
    }

    @Override
    public Numbers next(T transaction, int count) {
        return Numbers.of(take(transaction, SequenceDefinition.checkCount(context.name(), count)).stream()
                .mapToLong(Long::longValue)
                .toArray());
    }

    @Override
    public void close() {
        supply.close();
    }

    @Override
    public String toString() {
        return "POOLED " + Messages.quoted(name());
    }

    private List<Long> take(T transaction, int count) {
        List<Long> taken = new ArrayList<>(count);
        PoolVisit visit = supply.visit();
        try {
            while (taken.size() < count && (taken.isEmpty() || !visit.atTheEnd())) {
                int missing = count - taken.size();
                int claimable = visit.await(missing);
                taken.addAll(claimable > 0 ? claim(transaction, claimable, visit) : draw(transaction, missing, visit));
            }
        } catch (SequenceException.Exhausted e) {
            if (taken.isEmpty()) {
                throw visit.exhausted(e);
            }
        } finally {
            visit.end();
        }
        return taken;
    }

    private List<Long> claim(T transaction, int count, PoolVisit visit) {
        Pool.Claim claim = pool.claim(transaction, count, visit.patienceLeft());
        visit.claimed(claim);
        if (claim.blind() && claim.numbers().size() < count) {
            throw new SequenceException.Overloaded(
                    name(),
                    "numbers laid out since this transaction began are invisible at its isolation level; roll back and"
                            + " retry, draw before anything else, or use READ COMMITTED",
                    null);
        }
        return claim.numbers();
    }

    /** Draws from the counter, as without a pool: gapless as well, but slower, because the counter stays locked. */
    private List<Long> draw(T transaction, int count, PoolVisit visit) {
        Duration atMost = visit.patienceLeft();
        try {
            return store.reserve(transaction, name(), count, atMost)
                    .block()
                    .values()
                    .boxed()
                    .toList();
        } catch (SequenceException.Exhausted e) {
            // This transaction keeps the counter locked, so no refill can show what is left in the pool.
            pool.sawEnd();
            List<Long> back = claim(transaction, count, visit);
            if (back.isEmpty()) {
                throw e;
            }
            return back;
        } catch (SequenceException.Overloaded e) {
            // The other callers hold the counter because they found no numbers laid out either.
            Optional<String> awaited = StoreFailures.waitedFor(store, context.patience());
            if (awaited.isEmpty()) {
                throw e;
            }
            throw new SequenceException.Overloaded(
                    name(),
                    "no numbers were laid out, and other transactions hold or have changed its counter; roll back and retry ("
                            + awaited.get() + ")",
                    e);
        }
    }
}
