// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.control;

import dev.seriatim.SequenceListener;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.jdbc.sql.BenchmarkedStore;
import dev.seriatim.lab.verify.worker.Generator;
import dev.seriatim.lab.verify.worker.LaneDraws;
import dev.seriatim.lab.verify.worker.LaneLog;
import dev.seriatim.lab.verify.worker.LaneOrder;
import dev.seriatim.store.OpenStore;
import java.util.Arrays;
import java.util.Optional;

/**
 * Generators that break what they promise: a check that stays green on them proves nothing. Never for use outside a verification.
 */
public enum ControlGenerator implements Generator {
    /** Reads the counter, deals what it has read, and writes it back raised, as {@code SELECT MAX(id) + 1} does. */
    READ_THEN_WRITE(DrawMode.ASYNC, "reads the counter and then writes it") {
        @Override
        public LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener) {
            return drawing(log -> {
                log.begin();
                long value = store.describe(order.sequence()).nextValue();
                store.raise(order.sequence(), value + 1);
                log.drew(value, 1);
            });
        }
    },
    /** Lets callers join a reservation that has been sent already, so that others may have drawn higher numbers before they came. */
    JOINS_SENT(DrawMode.COMBINED, "joins a reservation that is already sent") {
        @Override
        public LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener) {
            return new JoinsSent(store, order.sequence());
        }
    },
    /** Draws a number in one transaction and stores it in another, which may be rolled back. */
    TWO_TRANSACTIONS(DrawMode.SYNC, "draws in one transaction and stores in another") {
        @Override
        public LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener) {
            return new TwoTransactions(database(store), store, order);
        }
    },
    /** Draws from the database's own sequence, whose state may reach the disk after its values have been dealt. */
    NATIVE(DrawMode.ASYNC, "the database's own sequence, whose server is killed") {
        @Override
        public LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener) {
            return NativeInTransactions.of(database(store), order.sequence());
        }
    };

    private final DrawMode pretended;
    private final String title;

    ControlGenerator(DrawMode pretended, String title) {
        this.pretended = pretended;
        this.title = title;
    }

    /** Returns the generator of this exact name; empty if there is none. */
    static Optional<Generator> named(String name) {
        return Arrays.stream(values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .map(Generator.class::cast);
    }

    /** Returns the mode whose promise it breaks. */
    public DrawMode pretended() {
        return pretended;
    }

    /** Returns what it does, in a few words. */
    public String title() {
        return title;
    }

    private static BenchmarkedStore database(OpenStore store) {
        if (store instanceof BenchmarkedStore database) {
            return database;
        }
        throw new IllegalStateException(store + " has no tables");
    }

    private interface Turn {
        void take(LaneLog log) throws Exception;
    }

    private static LaneDraws drawing(Turn turn) {
        return new LaneDraws() {
            @Override
            public void turn(LaneLog log) throws Exception {
                turn.take(log);
            }

            @Override
            public void close() {
                // holds nothing
            }
        };
    }
}
