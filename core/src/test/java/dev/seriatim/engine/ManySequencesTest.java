// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.memory.InMemorySequences;
import dev.seriatim.memory.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten thousand open sequences in one process, each drawn from. */
@Tag("long")
@Isolated("it measures the heap and counts threads")
class ManySequencesTest {

    private static final int SEQUENCES = 10_000;
    private static final long MAX_BYTES = 50_000_000;
    private static final int MAX_THREADS = 50;

    @ParameterizedTest
    @ValueSource(strings = {"ADAPTIVE", "COMBINED"})
    void open_sequences_take_little_memory_and_no_thread_each(String mode) throws InterruptedException {
        BiFunction<InMemorySequences, String, Sequence> open = mode.equals("ADAPTIVE")
                ? InMemorySequences::unique
                : (sequences, name) -> sequences.open(name, Allocation.combined());
        InMemoryStore store = new InMemoryStore();
        for (int i = 0; i < SEQUENCES; i++) {
            store.create(SequenceDefinition.named("s" + i).build());
        }
        List<Sequence> kept = new ArrayList<>(SEQUENCES);
        long bytesBefore = usedBytes();
        int threadsBefore = Thread.getAllStackTraces().size();
        try (InMemorySequences sequences = InMemorySequences.over(store, settings -> {})) {
            for (int i = 0; i < SEQUENCES; i++) {
                Sequence sequence = open.apply(sequences, "s" + i);
                kept.add(sequence);
                assertThat(sequence.next()).isEqualTo(1);
            }
            int threads = Thread.getAllStackTraces().size() - threadsBefore;
            long bytes = usedBytes() - bytesBefore;
            System.out.printf(
                    "%s: %,d open sequences: %.1f MB, %d bytes each, %d threads%n",
                    mode, kept.size(), bytes / 1e6, bytes / SEQUENCES, threads);
            assertThat(bytes).isLessThan(MAX_BYTES);
            assertThat(threads).isLessThan(MAX_THREADS);
        }
    }

    /** What is reachable: the least of several measurements. */
    private static long usedBytes() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(50);
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}
