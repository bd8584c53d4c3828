// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.DrawAccount;
import dev.seriatim.engine.Interleavings;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.engine.line.Reserver;
import dev.seriatim.engine.sizing.FixedSizing;
import dev.seriatim.engine.sizing.Sizing;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Reservation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Draws of every kind from one sequence, by its only thread and others, and a close: interleaved at each access to
 * shared memory.
 */
@Tag("model")
@Isolated
class SequenceModelTest {

    /** Long enough for the only thread to have a run of two values. */
    private static final Sizing LONG = new FixedSizing(33, FixedSizing.NO_MARK);

    private static final class Counter implements ImmediateStore {
        private static final SequenceDefinition DEFINITION = SequenceDefinition.of("s");
        private final AtomicLong next = new AtomicLong(1);
        private final DrawAccount account;

        Counter(DrawAccount account) {
            this.account = account;
        }

        @Override
        public Reservation reserve(String name, long count) {
            Block block = new Block(next.getAndAdd(count), count, 1);
            account.reserved(block);
            return new Reservation(block, DEFINITION, 1);
        }

        @Override
        public Optional<Reservation> reserveNow(String name, long count) {
            return Optional.of(reserve(name, count));
        }
    }

    /** A sequence over a counter, and the account of its values. */
    public abstract static class Opened {
        final DrawAccount account = new DrawAccount();
        final Sequence sequence;

        Opened(Sizing sizing) {
            Listeners listeners = new Listeners(account);
            sequence = new BlockSequence(
                    new SequenceContext("s", listeners, Runnable::run, Timing.JVM, Duration.ofSeconds(10), () -> {}),
                    new Reserver("s", new Counter(account), listeners, Timing.JVM),
                    sizing,
                    false);
        }

        final void draw(int times) {
            try {
                for (int i = 0; i < times; i++) {
                    long begun = account.begin();
                    account.end(begun, sequence.next());
                }
            } catch (IllegalStateException closed) {
                // expected
            }
        }

        final void drawPiece(int count) {
            try {
                account.dealt(sequence.next(count));
            } catch (IllegalStateException closed) {
                // expected
            }
        }

        @Validate
        public void everyValueIsAccountedFor() {
            closeCursors();
            sequence.close();
            draw(1); // is refused, and the owner of the run reports the rest of it
            account.check();
        }

        void closeCursors() {}
    }

    /** The only thread fills its run at the end of a block and deals from it; another thread joins. */
    public static final class Joining extends Opened {
        public Joining() {
            super(LONG);
        }

        @Operation(runOnce = true)
        public void only() {
            draw(1);
            drawPiece(30);
            draw(4);
        }

        @Operation(runOnce = true)
        public void other() {
            draw(1);
        }
    }

    /** The only thread deals from its run, and returns it to draw a block; another thread closes. */
    public static final class Closing extends Opened {
        public Closing() {
            super(LONG);
        }

        @Operation(runOnce = true)
        public void only() {
            draw(3);
            drawPiece(2);
        }

        @Operation(runOnce = true)
        public void other() {
            sequence.close();
        }
    }

    public abstract static class Draws extends Opened {
        private final Sequence[] cursors = new Sequence[5];

        Draws(Sizing sizing) {
            super(sizing);
            for (int i = 0; i < cursors.length; i++) {
                cursors[i] = sequence.local();
            }
        }

        @Operation
        public void next(@Param(gen = IntGen.class, conf = "1:8") int times) {
            draw(times);
        }

        @Operation
        public void nextOf(@Param(gen = IntGen.class, conf = "1:15") int count) {
            drawPiece(count);
        }

        @Operation
        public void nextAsync() {
            long begun = account.begin();
            CompletableFuture<Long> drawn = sequence.nextAsync().toCompletableFuture();
            if (!drawn.isCompletedExceptionally()) {
                account.end(begun, drawn.join());
            }
        }

        @Operation
        public void cursor(@Param(gen = ThreadIdGen.class) int thread) {
            try {
                account.dealt(new Block(cursors[thread].next(), 1, 1));
            } catch (IllegalStateException closed) {
                // expected
            }
        }

        @Operation(runOnce = true)
        public void close() {
            sequence.close();
        }

        @Operation
        public void closeCursor(@Param(gen = ThreadIdGen.class) int thread) {
            cursors[thread].close();
        }

        @Override
        void closeCursors() {
            for (Sequence cursor : cursors) {
                cursor.close();
            }
        }
    }

    /** With a run for the only thread. */
    public static final class LongBlocks extends Draws {
        public LongBlocks() {
            super(LONG);
        }
    }

    /** The next block is fetched while values are left. */
    public static final class ShortBlocks extends Draws {
        public ShortBlocks() {
            super(new FixedSizing(3, 2));
        }
    }

    /** Any order of the operations is allowed; the account is checked. */
    public static final class AnyOrder {
        public void only() {}

        public void other() {}

        public void next(int times) {}

        public void nextOf(int count) {}

        public void nextAsync() {}

        public void cursor(int thread) {}

        public void closeCursor(int thread) {}

        public void close() {}
    }

    @Test
    void every_value_is_accounted_for_once_when_another_thread_joins_the_only_one() {
        Interleavings.meet(Joining.class, AnyOrder.class);
    }

    @Test
    void every_value_is_accounted_for_once_when_another_thread_closes() {
        Interleavings.meet(Closing.class, AnyOrder.class);
    }

    @Test
    @Tag("long")
    void every_value_is_accounted_for_once_when_two_threads_do_anything() {
        Interleavings.check(LongBlocks.class, AnyOrder.class, 2, 3);
    }

    @Test
    @Tag("long")
    void every_value_is_accounted_for_once_when_three_threads_do_anything() {
        Interleavings.check(LongBlocks.class, AnyOrder.class, 3, 2);
    }

    @Test
    @Tag("long")
    void every_value_is_accounted_for_once_where_blocks_are_short() {
        Interleavings.check(ShortBlocks.class, AnyOrder.class, 2, 3);
    }
}
