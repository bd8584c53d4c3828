// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Block;
import dev.seriatim.SequenceListener;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.option.EngineSql;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.verify.worker.TransactionDraws.RolledBackOnPurpose;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Generators that break their promise: a check that does not find them proves nothing. */
public enum ControlGenerator implements LaneDraws.Generator {
    /** Reads the counter, deals that value, and writes back the next, as {@code SELECT MAX(id) + 1} does. */
    READ_THEN_WRITE(DrawMode.ASYNC, "reads the counter and then writes it"),
    /** Lets callers join a reservation that is already sent, although others may have drawn higher numbers since. */
    JOINS_SENT(DrawMode.COMBINED, "joins a reservation that is already sent"),
    /** Draws a number in one transaction and stores it in another, which may be rolled back. */
    TWO_TRANSACTIONS(DrawMode.SYNC, "draws in one transaction and stores in another"),
    /** Draws from the database's own sequence, whose state may reach the disk after its values have been dealt. */
    NATIVE(DrawMode.ASYNC, "the database's own sequence, whose server is killed");

    private final DrawMode pretended;
    private final String title;

    ControlGenerator(DrawMode pretended, String title) {
        this.pretended = pretended;
        this.title = title;
    }

    @Override
    public LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener) {
        return switch (this) {
            case READ_THEN_WRITE -> log -> readThenWrite(store, order, log);
            case JOINS_SENT -> new JoinsSent(store, order.sequence());
            case TWO_TRANSACTIONS -> log -> twoTransactions((JdbcStore) store, order, log);
            case NATIVE -> nativeInTransactions((JdbcStore) store, order.sequence());
        };
    }

    public DrawMode pretended() {
        return pretended;
    }

    public String title() {
        return title;
    }

    private static void readThenWrite(OpenStore store, LaneOrder order, LaneLog log) {
        log.begin();
        long value = store.describe(order.sequence()).nextValue();
        store.raise(order.sequence(), value + 1);
        log.drew(value, 1);
    }

    private static void twoTransactions(JdbcStore database, LaneOrder order, LaneLog log) throws Exception {
        boolean rollBack = log.chance() < order.shares().rolledBack();
        log.begin();
        Block number = database.reserve(order.sequence(), 1).block();
        try {
            database.<Boolean, Exception>inTransaction(transaction -> {
                new LedgerInsert(database, order).insert(transaction, number);
                if (rollBack) {
                    throw new RolledBackOnPurpose();
                }
                return true;
            });
            log.took(number);
            log.committed();
        } catch (RolledBackOnPurpose e) {
            log.forget();
        }
    }

    private static final double LASTING_ON_POSTGRESQL = 0.5;
    private static final long LASTS_MILLIS = 10;

    /**
     * Draws in transactions that commit. On PostgreSQL some transactions last longer, as those that store rows do: until they commit, the
     * sequence's state is in the server's memory only, while others draw by it and commit. MariaDB writes the state at once, and others
     * draw by it meanwhile; there, many draws show the fault.
     */
    private static LaneDraws nativeInTransactions(JdbcStore database, String sequence) {
        String query = "SELECT "
                + EngineSql.of(database).sequence().orElseThrow().next().formatted(sequence);
        double lasting = database.dialect().product().startsWith("PostgreSQL") ? LASTING_ON_POSTGRESQL : 0;
        return log -> {
            boolean lasts = log.chance() < lasting;
            log.begin();
            long value = database.<Long, Exception>inTransaction(transaction -> {
                long drawn;
                try (Statement statement = transaction.createStatement();
                        ResultSet row = statement.executeQuery(query)) {
                    row.next();
                    drawn = row.getLong(1);
                }
                if (lasts) {
                    Thread.sleep(LASTS_MILLIS);
                }
                return drawn;
            });
            log.drew(value, 1);
        };
    }

    /** Sends one reservation at a time, and lets callers share it while it is under way. */
    private static final class JoinsSent implements LaneDraws {

        private static final int LARGEST = 16;

        private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

        private final SequenceStore store;
        private final String name;
        private Shared current = new Shared();

        /**
         * The longest delay of an answer, as on a network, and between two draws. Meanwhile others draw higher numbers, and callers
         * join, so it lasts longer than a reservation.
         */
        private volatile long longestPause = LEAST_PAUSE_NANOS;

        private static final class Shared {
            private final CompletableFuture<Block> block = new CompletableFuture<>();
            private int promised;
        }

        JoinsSent(SequenceStore store, String name) {
            this.store = store;
            this.name = name;
        }

        @Override
        public void turn(LaneLog log) throws Exception {
            pause();
            log.begin();
            Shared mine;
            int place;
            synchronized (this) {
                if (current.promised == LARGEST || current.block.isDone()) {
                    current = new Shared();
                }
                mine = current;
                place = mine.promised++;
            }
            if (place == 0) {
                send(mine);
            }
            try {
                log.drew(mine.block.get().first() + place, 1);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        private void pause() {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longestPause));
        }

        private void send(Shared mine) {
            try {
                long sent = System.nanoTime();
                Block block = store.reserve(name, LARGEST).block();
                longestPause = Math.max(LEAST_PAUSE_NANOS, 2 * (System.nanoTime() - sent));
                pause();
                synchronized (this) {
                    mine.block.complete(block);
                }
            } catch (RuntimeException e) {
                synchronized (this) {
                    mine.block.completeExceptionally(e);
                }
            }
        }
    }
}
