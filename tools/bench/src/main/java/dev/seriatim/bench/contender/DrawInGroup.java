// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.contender;

import dev.seriatim.GroupedSequence;
import dev.seriatim.Turn;
import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.store.GroupingStore;

/** Draws and uses numbers in a transaction that threads share. Thread-safe. */
record DrawInGroup<T>(GroupedSequence<T> sequence, ClientWork application, int times) implements Iteration {

    static <T> Iteration in(GroupingStore<T> store, Stage stage) {
        GroupedSequence<T> sequence = stage.sequences().grouped(stage.sequence(), store);
        return new DrawInGroup<>(sequence, stage.application(), stage.plan().numbersPerIteration());
    }

    @Override
    public boolean run(DrawLog draw) {
        draw.started = System.nanoTime();
        boolean whole = sequence.<Boolean, RuntimeException>commit(turn -> drawAndWork(turn, draw));
        draw.finished = System.nanoTime();
        return whole;
    }

    /** Repeated if another unit of the group fails. */
    private boolean drawAndWork(Turn<T> turn, DrawLog draw) {
        draw.restart();
        for (int i = 0; i < times; i++) {
            draw.begin();
            long value = turn.next();
            draw.took(value);
            application.use(turn.transaction(), value);
        }
        application.useTogether(turn.transaction(), draw);
        return application.rest();
    }
}
