// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.engine.StoreSequences;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A process that draws when it is told to. Its arguments are the store's URL and the sequence. Each line of its input has a mode, a
 * number of threads, how long they draw and how long each pauses between two draws, in milliseconds; it answers with the number of
 * draws. It ends with its input.
 */
final class RateProgram {

    private RateProgram() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (StoreSequences sequences = StoreSequences.open(arguments[0])) {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                String[] words = order.split(" ", -1);
                Allocation mode = words[0].equals("COMBINED") ? Allocation.combined() : Allocation.confirmed();
                try (Sequence sequence = sequences.open(arguments[1], mode)) {
                    System.out.println(drawn(
                            sequence, Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
                }
            }
        }
    }

    private static long drawn(Sequence sequence, int threads, long millis, long pause) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        LongAdder draws = new LongAdder();
        List<Thread> drawing = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            drawing.add(new Thread(() -> {
                while (System.nanoTime() < until) {
                    sequence.next();
                    draws.increment();
                    pause(pause);
                }
            }));
        }
        drawing.forEach(Thread::start);
        for (Thread thread : drawing) {
            thread.join();
        }
        return draws.sum();
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
