// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A process that draws on demand. Each input line names a mode and a number of draws from the sequence of that name;
 * each output line is one draw (began, ended, value), written when it is acknowledged.
 *
 * <p>Times come from the machine's single monotonic clock, so they are comparable across processes.
 */
final class Drawing {

    static final Map<String, Allocation> MODES = Map.of(
            "ASYNC", Allocation.async(),
            "COMBINED", Allocation.combined(),
            "BATCH", Allocation.batch(10),
            "ASYNC_BATCH", Allocation.asyncBatch(10, 5),
            "ADAPTIVE", Allocation.adaptive());

    private Drawing() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (JdbcStore store = (JdbcStore) StoreDriver.open(arguments[0]);
                StoreSequences sequences = StoreSequences.of(store)) {
            System.out.println("ready");
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                String mode = order.split(" ", -1)[0];
                draw(source(store, sequences, mode), Integer.parseInt(order.split(" ", -1)[1]));
                System.out.println("done");
            }
        }
    }

    private static LongSupplier source(JdbcStore store, StoreSequences sequences, String mode) {
        Allocation allocation = MODES.get(mode);
        if (allocation == null) {
            TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, mode);
            return () -> store.inTransaction(sequence::next);
        }
        Sequence sequence = sequences.open(mode, allocation);
        return sequence::next;
    }

    private static void draw(LongSupplier source, int count) {
        for (int i = 0; i < count; i++) {
            long began = System.nanoTime();
            long value = source.getAsLong();
            long ended = System.nanoTime();
            System.out.println(began + " " + ended + " " + value);
            System.out.flush();
        }
    }
}
