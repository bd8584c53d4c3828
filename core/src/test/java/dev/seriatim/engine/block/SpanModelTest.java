// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.engine.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Every interleaving of a few draws from one span has results that a plain counter could have. */
@Tag("model")
@Isolated
class SpanModelTest {

    private static final Block BLOCK = new Block(5, 7, 3);

    @Param(name = "places", gen = IntGen.class, conf = "1:4")
    @Param(name = "place", gen = IntGen.class, conf = "0:8")
    public static final class Draws {

        private final Span span = new Span(BLOCK, 1);

        @Operation
        public long step() {
            return span.step();
        }

        @Operation
        public long stepBy(@Param(name = "places") int places) {
            return span.step(places);
        }

        @Operation
        public long stepExactly(@Param(name = "places") int places) {
            return span.stepExactly(places);
        }

        @Operation
        public boolean stepBack(@Param(name = "place") int from, @Param(name = "place") int to) {
            return span.stepBack(from, to);
        }

        @Operation
        public long remaining() {
            return span.remaining();
        }

        @Operation
        public @Nullable Block takeRest() {
            return span.takeRest();
        }
    }

    /** The sequential specification of a span. */
    public static final class PlainCounter {

        private long place;

        public long step() {
            return stepBy(1);
        }

        public long stepBy(int places) {
            place += places;
            return place - places;
        }

        public long stepExactly(int places) {
            return BLOCK.count() - place < places ? -1 : stepBy(places);
        }

        public boolean stepBack(int from, int to) {
            boolean there = place == from;
            place = there ? to : place;
            return there;
        }

        public long remaining() {
            return place < BLOCK.count() ? BLOCK.count() - place : 0;
        }

        public @Nullable Block takeRest() {
            long rest = remaining();
            place += BLOCK.count();
            return rest == 0 ? null : new Block(BLOCK.last() - (rest - 1) * BLOCK.increment(), rest, BLOCK.increment());
        }
    }

    @Test
    void a_span_is_dealt_as_if_one_draw_came_after_the_other() {
        Interleavings.check(Draws.class, PlainCounter.class, 2, 3);
    }
}
