// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.PooledSequence;
import dev.seriatim.TransactionScope;
import dev.seriatim.TransactionalSequence;
import dev.seriatim.jdbc.JdbcStore;
import java.sql.Connection;
import java.util.function.ToLongFunction;

/** Draws first and works afterwards, both inside one transaction of the store. Thread-safe. */
record DrawInTransaction<T>(TransactionScope<T> scope, ToLongFunction<T> sequence, Application application)
        implements Iteration {

    static <T> Iteration in(TransactionScope<T> scope, Stage stage) {
        TransactionalSequence<T> sequence = TransactionalSequence.of(scope, stage.sequence());
        return new DrawInTransaction<>(scope, sequence::next, stage.application());
    }

    /** The same with numbers that are laid out. */
    static Iteration pooled(JdbcStore store, Stage stage) {
        PooledSequence<Connection> sequence = stage.sequences().pooled(stage.sequence(), store);
        return new DrawInTransaction<>(store, sequence::next, stage.application());
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
        draw.value = sequence.applyAsLong(transaction);
        draw.returned = System.nanoTime();
        draw.drawn = true;
        return application.inside(transaction, draw.value);
    }
}
