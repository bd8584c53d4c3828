// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.PooledSequence;
import dev.seriatim.jdbc.JdbcStore;
import java.sql.Connection;

/** Claims a number that was laid out, and works afterwards, both inside one transaction of the store. Thread-safe. */
record DrawFromPool(JdbcStore store, PooledSequence<Connection> sequence, Application application)
        implements Iteration {

    static Iteration in(JdbcStore store, Stage stage) {
        return new DrawFromPool(store, stage.sequences().pooled(stage.sequence(), store), stage.application());
    }

    @Override
    public boolean run(Draw draw) {
        draw.started = System.nanoTime();
        boolean whole = store.<Boolean, RuntimeException>inTransaction(connection -> claimAndWork(connection, draw));
        draw.finished = System.nanoTime();
        return whole;
    }

    private boolean claimAndWork(Connection connection, Draw draw) {
        draw.began = System.nanoTime();
        draw.value = sequence.next(connection);
        draw.returned = System.nanoTime();
        draw.drawn = true;
        return application.inside(connection, draw.value);
    }
}
