// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.contender;

import dev.seriatim.PooledSequence;
import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.store.TransactionScope;

/** Claims all numbers of a transaction at once, first, and then uses each. Thread-safe. */
record DrawFromPool<T>(TransactionScope<T> scope, PooledSequence<T> sequence, ClientWork application, int times)
        implements Iteration {

    @Override
    public boolean run(DrawLog draw) {
        draw.started = System.nanoTime();
        boolean whole = scope.<Boolean, RuntimeException>inTransaction(transaction -> drawAndWork(transaction, draw));
        draw.finished = System.nanoTime();
        return whole;
    }

    private boolean drawAndWork(T transaction, DrawLog draw) {
        draw.restart();
        draw.begin();
        sequence.next(transaction, times).forEach(draw::took);
        for (int i = 0; i < draw.count(); i++) {
            application.use(transaction, draw.value(i));
        }
        application.useTogether(transaction, draw);
        return application.rest();
    }
}
