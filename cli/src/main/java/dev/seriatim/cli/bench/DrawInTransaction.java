// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.TransactionScope;
import dev.seriatim.TransactionalSequence;

/** Draws first and works afterwards, both inside one transaction of the store. Thread-safe. */
record DrawInTransaction<T>(TransactionScope<T> scope, TransactionalSequence<T> sequence, Application application)
        implements Iteration {

    static <T> Iteration in(TransactionScope<T> scope, Stage stage) {
        TransactionalSequence<T> sequence = TransactionalSequence.of(scope, stage.sequence());
        return new DrawInTransaction<>(scope, sequence, stage.application());
    }

    @Override
    public boolean run(Draw draw) {
        draw.started = System.nanoTime();
        boolean whole = scope.<Boolean, RuntimeException>inTransaction(transaction -> drawAndWork(transaction, draw));
        draw.finished = System.nanoTime();
        return whole;
    }

    private boolean drawAndWork(T transaction, Draw draw) {
        draw.began = System.nanoTime();
        draw.value = sequence.next(transaction);
        draw.returned = System.nanoTime();
        draw.drawn = true;
        return application.inside(transaction, draw.value);
    }
}
