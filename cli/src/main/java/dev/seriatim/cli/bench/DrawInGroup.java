// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.GroupedSequence;
import dev.seriatim.GroupingStore;
import dev.seriatim.Turn;

/** Draws first and works afterwards, both inside a transaction that is shared with other threads. Thread-safe. */
record DrawInGroup<T>(GroupedSequence<T> sequence, Application application) implements Iteration {

    static <T> Iteration in(GroupingStore<T> store, Stage stage) {
        return new DrawInGroup<>(stage.sequences().grouped(stage.sequence(), store), stage.application());
    }

    @Override
    public boolean run(Draw draw) {
        draw.started = System.nanoTime();
        boolean whole = sequence.<Boolean, RuntimeException>commit(turn -> drawAndWork(turn, draw));
        draw.finished = System.nanoTime();
        return whole;
    }

    private boolean drawAndWork(Turn<T> turn, Draw draw) {
        draw.began = System.nanoTime();
        draw.value = turn.next();
        draw.returned = System.nanoTime();
        draw.drawn = true;
        return application.inside(turn.transaction(), draw.value);
    }
}
