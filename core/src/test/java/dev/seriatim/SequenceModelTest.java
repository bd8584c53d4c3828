// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

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

/** Draws of every kind from one sequence, its only thread and others, and a closing: interleaved at each access to shared memory. */
@Tag("model")
@Isolated
class SequenceModelTest {

    private static final class Counter implements ImmediateStore {
        private static final SequenceDefinition DEFINITION = SequenceDefinition.of("s");
        private final AtomicLong next = new AtomicLong(1);
        private final Account account;

        Counter(Account account) {
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

    public abstract static class Draws {
        private final Account account = new Account();
        private final Sequence sequence;
        private final Sequence[] cursors = new Sequence[5];

        Draws(Sizing sizing) {
            Listeners listeners = new Listeners(account);
            sequence = BlockSequence.open(
                    new SequenceContext(
                            "s",
                            new Reserver("s", new Counter(account), listeners),
                            listeners,
                            Runnable::run,
                            Duration.ofSeconds(10),
                            false,
                            () -> {}),
                    sizing);
            for (int i = 0; i < cursors.length; i++) {
                cursors[i] = sequence.local();
            }
        }

        @Operation
        public void next(@Param(gen = IntGen.class, conf = "1:8") int times) {
            try {
                for (int i = 0; i < times; i++) {
                    long begun = account.begin();
                    account.end(begun, sequence.next());
                }
            } catch (IllegalStateException closed) {
                // as it should
            }
        }

        @Operation
        public void nextOf(@Param(gen = IntGen.class, conf = "1:15") int count) {
            try {
                account.dealt(sequence.next(count));
            } catch (IllegalStateException closed) {
                // as it should
            }
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
                // as it should
            }
        }

        @Operation(runOnce = true)
        public void close() {
            sequence.close();
        }

        @Validate
        public void everyValueIsAccountedFor() {
            account.settle(sequence, cursors);
            account.check();
        }
    }

    /** Long enough for the only thread to have a run of its own. */
    public static final class LongBlocks extends Draws {
        public LongBlocks() {
            super(new FixedSizing(33, FixedSizing.NO_MARK));
        }
    }

    /** The next is fetched while there are some left. */
    public static final class ShortBlocks extends Draws {
        public ShortBlocks() {
            super(new FixedSizing(3, 2));
        }
    }

    /** Any order of the operations is right: what is held to is the account. */
    public static final class AnyOrder {
        public void next(int times) {}

        public void nextOf(int count) {}

        public void nextAsync() {}

        public void cursor(int thread) {}

        public void close() {}
    }

    @Test
    void every_value_is_accounted_for_once_when_others_join_the_only_thread() {
        Interleavings.check(LongBlocks.class, AnyOrder.class, 2, 3);
    }

    @Test
    @Tag("long")
    void every_value_is_accounted_for_once_when_three_threads_meet() {
        Interleavings.check(LongBlocks.class, AnyOrder.class, 3, 2);
    }

    @Test
    @Tag("long")
    void every_value_is_accounted_for_once_where_blocks_are_short() {
        Interleavings.check(ShortBlocks.class, AnyOrder.class, 2, 3);
    }
}
