// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.DrawAccount;
import dev.seriatim.engine.Interleavings;
import dev.seriatim.engine.line.Stock;
import dev.seriatim.engine.sizing.FixedSizing;
import dev.seriatim.store.Reservation;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Blocks arrive and parts of them are taken and drained under the line's lock, while others draw from the current block
 * without it.
 */
@Tag("model")
@Isolated
class StockModelTest {

    /** What every draw does without a lock, and what is done under the lock. */
    public static final class Blocks {

        private final DrawAccount account = new DrawAccount();
        private final ReentrantLock lock = new ReentrantLock();
        private final BlockStock stock = new BlockStock(new FixedSizing(4, 2)) {};
        private long reserved = 1;

        @Operation
        public void arrives(@Param(gen = IntGen.class, conf = "1:6") int count) {
            lock.lock();
            try {
                Block block = new Block(reserved, count, 1);
                reserved += count;
                account.reserved(block);
                stock.arrived(new Reservation(block, DEFINITION, 1), 0, 0, 0, 0);
            } finally {
                lock.unlock();
            }
        }

        @Operation
        public void step() {
            while (true) {
                Span span = stock.current;
                long place = span.step();
                if (place < span.count) {
                    account.dealt(span.block.slice(place, 1));
                    return;
                }
                if (!movedOn(span)) {
                    return;
                }
            }
        }

        private boolean movedOn(Span spent) {
            lock.lock();
            try {
                return stock.current != spent || stock.beginNext();
            } finally {
                lock.unlock();
            }
        }

        @Operation
        public void stepBack() {
            Span span = stock.current;
            long place = span.stepExactly(1);
            if (place >= 0 && !span.stepBack(place + 1, place)) {
                account.dealt(span.block.slice(place, 1));
            }
        }

        @Operation
        public void take(@Param(gen = IntGen.class, conf = "1:6") int count) {
            lock.lock();
            try {
                dealt(stock.take(count, false));
            } finally {
                lock.unlock();
            }
        }

        @Operation
        public void takeRest() {
            lock.lock();
            try {
                dealt(stock.takeRest());
            } finally {
                lock.unlock();
            }
        }

        @Operation
        public void drain() {
            lock.lock();
            try {
                dealt(stock.discarded(true));
            } finally {
                lock.unlock();
            }
        }

        private void dealt(@Nullable Block block) {
            if (block != null) {
                account.dealt(block);
            }
        }

        private void dealt(List<Stock.Unused> held) {
            for (Stock.Unused one : held) {
                account.dealt(one.block());
            }
        }

        @Validate
        public void everyValueIsAccountedFor() {
            drain();
            account.check();
        }
    }

    private static final SequenceDefinition DEFINITION = SequenceDefinition.of("s");

    /** Any order of the operations is allowed; the account is checked. */
    public static final class AnyOrder {
        public void arrives(int count) {}

        public void step() {}

        public void stepBack() {}

        public void take(int count) {}

        public void takeRest() {}

        public void drain() {}
    }

    @Test
    void no_value_of_a_stock_goes_missing_or_is_dealt_twice() {
        Interleavings.check(Blocks.class, AnyOrder.class, 2, 3);
    }
}
