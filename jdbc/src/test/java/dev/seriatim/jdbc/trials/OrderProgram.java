// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.StoreDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A process that draws in CONFIRMED, in bursts with pauses, so that it is sometimes the only one. Between bursts, it sometimes closes
 * the sequence, gives back what it holds, and opens it anew. Its arguments are the store's URL, the sequence, a folder and the number
 * of threads. It runs until it is killed.
 *
 * <p>Each thread writes its draws to files of its own that are mapped into memory, so that every draw it has written survives it.
 */
final class OrderProgram {

    private static final int RECORD = 3 * Long.BYTES;
    private static final int DRAWS_PER_FILE = 1 << 20;

    private final StoreSequences sequences;
    private final String name;
    private final Path folder;
    private final ReentrantReadWriteLock opening = new ReentrantReadWriteLock();
    private Sequence sequence;

    private OrderProgram(StoreSequences sequences, String name, Path folder) {
        this.sequences = sequences;
        this.name = name;
        this.folder = folder;
        sequence = opened();
    }

    public static void main(String[] arguments) throws InterruptedException {
        JdbcStore store = (JdbcStore) StoreDriver.open(arguments[0]);
        StoreSequences sequences = StoreSequences.builder(store)
                .giveBackOnClose(true)
                .patience(Duration.ofSeconds(20))
                .build();
        OrderProgram program = new OrderProgram(sequences, arguments[1], Path.of(arguments[2]));
        for (int i = Integer.parseInt(arguments[3]); i > 0; i--) {
            new Thread(program::work, "drawing-" + i).start();
        }
        while (true) {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(100, 900));
            program.reopen();
        }
    }

    private Sequence opened() {
        return sequences.open(name, Allocation.confirmed());
    }

    private void reopen() {
        opening.writeLock().lock();
        try {
            sequence.close();
            sequence = opened();
            int pause = ThreadLocalRandom.current().nextInt(400); // nothing is drawn meanwhile
            TimeUnit.MILLISECONDS.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            opening.writeLock().unlock();
        }
    }

    private void work() {
        ByteBuffer draws = newFile();
        while (true) {
            if (draws.remaining() < RECORD) {
                draws = newFile();
            }
            draw(draws);
        }
    }

    private void draw(ByteBuffer draws) {
        opening.readLock().lock();
        try {
            long began = System.nanoTime();
            long value = sequence.next();
            long ended = System.nanoTime();
            draws.putLong(began).putLong(ended).putLong(value); // the value last: a record without it is incomplete
        } catch (SequenceException e) {
            System.err.println(Thread.currentThread().getName() + ": " + e);
        } finally {
            opening.readLock().unlock();
        }
    }

    private MappedByteBuffer newFile() {
        try {
            Path file = Files.createTempFile(folder, "draws-", ".bin");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) RECORD * DRAWS_PER_FILE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
