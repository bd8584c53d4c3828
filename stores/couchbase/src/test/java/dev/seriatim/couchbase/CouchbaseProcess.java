// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.Crowd;
import java.io.IOException;

/**
 * A process that draws, with four threads, from the sequence {@code s} of the store at the given URL, as often as
 * requested. Each line of output is one draw: when it started and ended, on the machine's monotonic clock, and the
 * value.
 */
final class CouchbaseProcess {

    private static final int THREADS = 4;

    private CouchbaseProcess() {}

    public static void main(String[] arguments) throws IOException {
        Allocation mode = arguments[1].equals("ASYNC") ? Allocation.async() : Allocation.combined();
        try (OpenStore store = StoreDriver.open(arguments[0]);
                StoreSequences sequences = StoreSequences.of(store)) {
            Sequence sequence = sequences.open("s", mode);
            System.out.println("ready");
            if (System.in.read() < 0) {
                return;
            }
            new Crowd(THREADS, Integer.parseInt(arguments[2]) / THREADS).each((thread, turn) -> {
                long began = System.nanoTime();
                long value = sequence.next();
                System.out.println(began + " " + System.nanoTime() + " " + value);
            });
            System.out.println("done");
        }
    }
}
