// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.memory.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The moment at which a second thread starts to draw from a sequence. */
class OneThreadThenTwoTest {

    private static final int ROUNDS = 200;

    @Test
    void values_stay_unique_and_rise_within_the_instance() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            InMemoryStore store = new InMemoryStore();
            store.create(SequenceDefinition.of("s"));
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open("s", Allocation.batch(100_000));
                History history = new History();
                AtomicBoolean stop = new AtomicBoolean();
                Thread alone = new Thread(() -> {
                    for (int i = 0; i < 3000 || !stop.get(); i++) {
                        draw(sequence, history, i);
                    }
                });
                Thread company = new Thread(() -> {
                    for (int i = 0; i < 200; i++) {
                        draw(sequence, history, i);
                    }
                    stop.set(true);
                });
                alone.start();
                while (store.describe("s").nextValue() == 1) {
                    Thread.onSpinWait();
                }
                company.start();
                alone.join();
                company.join();
                assertThat(history.duplicates()).isZero();
                assertThat(history.orderViolations(true)).isZero();
            }
        }
    }

    private static void draw(Sequence sequence, History history, int turn) {
        long began = System.nanoTime();
        Block block = turn % 50 == 49 ? sequence.next(3) : new Block(sequence.next(), 1, 1);
        history.add(began, System.nanoTime(), block);
    }

    @Test
    void one_thread_alone_gets_every_value_in_order_however_it_draws() {
        InMemoryStore store = new InMemoryStore();
        store.create(SequenceDefinition.named("s").maxValue(100_000L).build());
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", Allocation.asyncBatch(5000, 100));
            List<Long> drawn = new ArrayList<>();
            for (int i = 0; drawn.size() < 4900; i++) {
                switch (i % 7) {
                    case 3 -> sequence.next(5).forEach(drawn::add);
                    case 5 ->
                        drawn.add(sequence.nextAsync().toCompletableFuture().join());
                    default -> drawn.add(sequence.next());
                }
            }
            for (int i = 0; i < drawn.size(); i++) {
                assertThat(drawn.get(i)).isEqualTo(i + 1);
            }
        }
    }
}
