// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.store.TransactionScope;
import java.util.function.ToLongFunction;

/**
 * Draws and uses numbers in one transaction of the store. Thread-safe.
 *
 * @param scope opens the transactions
 * @param sequence draws inside a transaction
 * @param application uses the numbers
 * @param times numbers per transaction
 */
record DrawInTransaction<T>(TransactionScope<T> scope, ToLongFunction<T> sequence, ClientWork application, int times)
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
        for (int i = 0; i < times; i++) {
            draw.begin();
            long value = sequence.applyAsLong(transaction);
            draw.took(value);
            application.use(transaction, value);
        }
        application.useTogether(transaction, draw);
        return application.rest();
    }
}
