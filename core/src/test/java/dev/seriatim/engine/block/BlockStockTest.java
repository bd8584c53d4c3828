// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.line.Stock;
import dev.seriatim.engine.sizing.FixedSizing;
import dev.seriatim.engine.sizing.Sizing;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stock of values without the line: what is dealt, what is kept, and when more is requested. */
class BlockStockTest {

    private static final SequenceDefinition DEFINITION =
            SequenceDefinition.named("s").cache(20).build();

    /** A sizing with fixed size and mark, which records its calls. */
    private static final class Told implements Sizing {
        private long size = 10;
        private long mark = FixedSizing.NO_MARK;
        private final List<String> told = new ArrayList<>();

        @Override
        public long size() {
            return size;
        }

        @Override
        public long lowWaterMark() {
            return mark;
        }

        @Override
        public int maxReservations() {
            return 3;
        }

        @Override
        public void sent(long now, long wanted) {
            told.add("sent at " + now + ", wanted " + wanted);
        }

        @Override
        public void arrived(long now, long wanted, long taken, long tookNanos, boolean tooSmall) {
            told.add("arrived at " + now + ", wanted " + wanted + ", taken " + taken + ", took " + tookNanos
                    + (tooSmall ? ", too small" : ""));
        }
    }

    private final Told sizing = new Told();
    private final BlockStock stock = new BlockStock(sizing) {};

    private void arrives(long first, long count) {
        arrives(first, count, 0);
    }

    private void arrives(long first, long count, long epoch) {
        Block block = new Block(first, count, 1);
        stock.arrived(new Reservation(block, DEFINITION, epoch), 5, 2, 3, 7);
    }

    /** The place in the current block at which the next block is fetched. */
    private long trigger() {
        return stock.current.trigger;
    }

    @Test
    void holds_nothing_at_first() {
        assertThat(stock.take(1, false)).isNull();
        assertThat(stock.takeRest()).isNull();
        assertThat(stock.discarded(false)).isEmpty();
        assertThat(stock.discarded(true)).isEmpty();
    }

    @Test
    void deals_blocks_one_after_the_other() {
        arrives(1, 3);
        arrives(11, 2);
        assertThat(stock.take(2, false)).isEqualTo(new Block(1, 2, 1));
        assertThat(stock.take(1, false)).isEqualTo(new Block(3, 1, 1));
        assertThat(stock.take(2, false)).isEqualTo(new Block(11, 2, 1));
        assertThat(stock.take(1, false)).isNull();
        arrives(21, 1);
        assertThat(stock.take(1, false)).isEqualTo(new Block(21, 1, 1));
    }

    @Test
    void deals_rests_one_after_the_other() {
        arrives(1, 3);
        arrives(11, 2);
        assertThat(stock.takeRest()).isEqualTo(new Block(1, 3, 1));
        assertThat(stock.takeRest()).isEqualTo(new Block(11, 2, 1));
        assertThat(stock.takeRest()).isNull();
    }

    @Test
    void makes_one_piece_of_a_rest_and_the_block_that_continues_it() {
        arrives(1, 3);
        arrives(4, 3);
        assertThat(stock.take(2, false)).isEqualTo(new Block(1, 2, 1));
        assertThat(stock.take(4, false)).isEqualTo(new Block(3, 4, 1));
        assertThat(stock.take(1, false)).isNull();
        assertThat(stock.discarded(true)).isEmpty();
        sizing.told.clear();
        stock.sent(9, 2);
        assertThat(sizing.told).containsExactly("sent at 9, wanted 8");
    }

    @Test
    void makes_no_piece_out_of_two_rounds_of_a_cycle() {
        arrives(1, 3);
        arrives(4, 3, 1);
        assertThat(stock.take(5, false)).isNull();
        assertThat(stock.discarded(true))
                .containsExactly(new Stock.Unused(new Block(1, 3, 1), 0), new Stock.Unused(new Block(4, 3, 1), 1));
    }

    @Test
    void keeps_what_is_too_small_for_a_piece_and_deals_it_before_the_next_block() {
        arrives(1, 3);
        arrives(11, 5);
        assertThat(stock.take(4, false)).isEqualTo(new Block(11, 4, 1));
        assertThat(stock.take(1, false)).isEqualTo(new Block(15, 1, 1));
        assertThat(stock.take(2, false)).isEqualTo(new Block(1, 2, 1));
        assertThat(stock.takeRest()).isEqualTo(new Block(3, 1, 1));
        assertThat(stock.takeRest()).isNull();
        assertThat(stock.discarded(false)).isEmpty();
    }

    @Test
    void steps_over_blocks_to_the_first_that_a_piece_fits_into() {
        arrives(1, 3);
        arrives(11, 4);
        arrives(21, 5);
        assertThat(stock.take(5, false)).isEqualTo(new Block(21, 5, 1));
        assertThat(stock.take(3, false)).isEqualTo(new Block(1, 3, 1));
        assertThat(stock.take(4, false)).isEqualTo(new Block(11, 4, 1));
        assertThat(stock.take(1, false)).isNull();
    }

    @Test
    void steps_over_nothing_when_a_piece_fits_nowhere() {
        arrives(1, 3);
        arrives(11, 4);
        assertThat(stock.take(5, false)).isNull();
        assertThat(stock.take(3, false)).isEqualTo(new Block(1, 3, 1));
    }

    @Test
    void keeps_one_remainder_and_returns_discarded_ones_once() {
        arrives(1, 3, 1);
        arrives(11, 5, 2);
        arrives(21, 8, 3);
        assertThat(stock.take(4, false)).isEqualTo(new Block(11, 4, 1));
        assertThat(stock.take(6, false))
                .isEqualTo(new Block(21, 6, 1)); // the remainder is now 15, and 1 … 3 are discarded
        assertThat(stock.discarded(false)).containsExactly(new Stock.Unused(new Block(1, 3, 1), 1));
        assertThat(stock.discarded(false)).isEmpty();
        assertThat(stock.discarded(true))
                .containsExactly(new Stock.Unused(new Block(15, 1, 1), 2), new Stock.Unused(new Block(27, 2, 1), 3));
        assertThat(stock.discarded(true)).isEmpty();
    }

    @Test
    void gives_everything_back_oldest_first_and_is_empty_then() {
        arrives(1, 3);
        arrives(11, 5);
        arrives(21, 2);
        assertThat(stock.take(4, false)).isEqualTo(new Block(11, 4, 1));
        assertThat(stock.discarded(true))
                .containsExactly(
                        new Stock.Unused(new Block(1, 3, 1), 0),
                        new Stock.Unused(new Block(15, 1, 1), 0),
                        new Stock.Unused(new Block(21, 2, 1), 0));
        assertThat(stock.take(1, false)).isNull();
        sizing.told.clear();
        stock.sent(9, 2);
        assertThat(sizing.told).as("callers have taken 4 and want 2").containsExactly("sent at 9, wanted 6");
    }

    @Test
    void fetches_the_next_block_when_as_many_are_left_as_the_mark_says() {
        sizing.mark = 4;
        arrives(1, 10);
        assertThat(trigger()).isEqualTo(6);
        arrives(11, 3); // counts, because it is dealt after the current one
        assertThat(stock.take(10, false)).isEqualTo(new Block(1, 10, 1));
        assertThat(stock.take(1, false)).isEqualTo(new Block(11, 1, 1));
        assertThat(trigger()).isZero();
    }

    @Test
    void fetches_the_next_block_at_the_end_of_this_one_where_enough_is_behind_it() {
        sizing.mark = 4;
        arrives(1, 1);
        arrives(11, 1);
        arrives(21, 4);
        assertThat(stock.take(1, false)).isEqualTo(new Block(1, 1, 1));
        assertThat(stock.take(1, false)).isEqualTo(new Block(11, 1, 1)); // behind it are as many as the mark says
        assertThat(trigger()).isEqualTo(1);
        assertThat(stock.take(1, false)).isEqualTo(new Block(21, 1, 1));
        assertThat(trigger()).isZero();
    }

    @Test
    void counts_what_is_behind_a_block_towards_the_mark_and_never_deals_beyond_the_block_for_that() {
        sizing.mark = 4;
        arrives(1, 1);
        arrives(11, 10);
        arrives(31, 2);
        assertThat(stock.take(1, false)).isEqualTo(new Block(1, 1, 1));
        assertThat(stock.take(1, false)).isEqualTo(new Block(11, 1, 1));
        assertThat(trigger()).as("2 left, and 2 in the next block").isEqualTo(8);
        arrives(51, 5);
        assertThat(stock.take(9, false)).isEqualTo(new Block(12, 9, 1));
        assertThat(stock.take(1, false)).isEqualTo(new Block(31, 1, 1));
        assertThat(trigger()).as("5 in the next block").isEqualTo(2);
    }

    @Test
    void fetches_no_block_ahead_without_a_mark() {
        arrives(1, 10);
        assertThat(trigger()).isEqualTo(10);
        assertThat(stock.size(0, 0, 0)).isEqualTo(Stock.NOTHING);
        assertThat(stock.take(10, false)).isEqualTo(new Block(1, 10, 1));
        assertThat(stock.size(0, 0, 0)).isEqualTo(Stock.NOTHING);
        assertThat(stock.size(1, 0, 0)).isEqualTo(10);
    }

    @Test
    void asks_for_more_when_as_many_are_left_as_the_mark_says_those_requested_included() {
        sizing.mark = 4;
        assertThat(stock.size(0, 0, 0)).as("before the first block").isEqualTo(Stock.NOTHING);
        arrives(1, 10);
        assertThat(stock.size(0, 0, 0)).isEqualTo(Stock.NOTHING);
        assertThat(stock.take(5, false)).isEqualTo(new Block(1, 5, 1));
        assertThat(stock.size(0, 0, 0)).as("5 left").isEqualTo(Stock.NOTHING);
        assertThat(stock.size(1, 1, 0)).as("4 left for others").isEqualTo(10);
        assertThat(stock.take(1, false)).isEqualTo(new Block(6, 1, 1));
        assertThat(stock.size(0, 0, 0)).as("4 left").isEqualTo(10);
        assertThat(stock.size(0, 1, 1)).as("and 1 reservation under way").isEqualTo(Stock.NOTHING);
    }

    @Test
    void asks_once_for_callers_that_wait_and_for_no_less_than_they_need() {
        assertThat(stock.size(3, 0, 0)).isEqualTo(10);
        assertThat(stock.size(3, 1, 10)).isEqualTo(Stock.NOTHING);
        assertThat(stock.size(0, 0, 0)).isEqualTo(Stock.NOTHING);
        assertThat(stock.size(11, 0, 0)).isEqualTo(11);
    }

    @Test
    void leaves_the_size_to_the_definition_unless_callers_need_more_than_that() {
        sizing.size = SequenceStore.CACHE;
        assertThat(stock.size(1, 0, 0)).isEqualTo(SequenceStore.CACHE);
        assertThat(stock.size(2, 0, 0)).as("the definition is not known yet").isEqualTo(2);
        arrives(1, 10);
        assertThat(stock.size(20, 0, 0)).isEqualTo(SequenceStore.CACHE);
        assertThat(stock.size(21, 0, 0)).isEqualTo(21);
    }

    @Test
    void tells_its_sizing_what_was_wanted_and_whether_a_block_was_too_small() {
        arrives(1, 10);
        assertThat(stock.take(4, false)).isEqualTo(new Block(1, 4, 1));
        stock.sent(6, 2);
        arrives(11, 5);
        assertThat(stock.take(6, false)).isEqualTo(new Block(5, 6, 1));
        assertThat(stock.take(5, false)).isEqualTo(new Block(11, 5, 1));
        arrives(21, 2);
        stock.arrived(new Reservation(new Block(31, 1, 1), DEFINITION, 0), 5, 2, 3, 8);
        assertThat(sizing.told)
                .containsExactly(
                        "arrived at 7, wanted 3, taken 10, took 5",
                        "sent at 6, wanted 6",
                        "arrived at 7, wanted 7, taken 5, took 5",
                        "arrived at 7, wanted 18, taken 2, took 5",
                        "arrived at 8, wanted 18, taken 1, took 5, too small");
    }

    @Test
    void deals_blocks_in_the_order_in_which_the_store_dealt_them_whichever_landed_first() {
        arrives(1, 2, 1);
        arrives(31, 2, 1);
        arrives(11, 2, 1);
        arrives(1, 2, 2);
        arrives(21, 2, 1);
        for (long first : new long[] {1, 11, 21, 31, 1}) {
            assertThat(stock.take(2, false)).isEqualTo(new Block(first, 2, 1));
        }
        assertThat(stock.take(1, false)).isNull();
    }

    @Test
    void deals_the_blocks_of_a_descending_sequence_highest_first() {
        for (long first : new long[] {-1, Long.MIN_VALUE + 4, -11}) {
            Block block = new Block(first, 5, -1);
            stock.arrived(new Reservation(block, DEFINITION, 1), 5, 2, 3, 7);
        }
        for (long first : new long[] {-1, -11, Long.MIN_VALUE + 4}) {
            assertThat(stock.take(5, false)).isEqualTo(new Block(first, 5, -1));
        }
    }

    @Test
    void keeps_blocks_that_a_counter_that_has_gone_back_dealt_twice() {
        for (int increment : new int[] {1, -1}) {
            for (int count : new int[] {1, 2, 5}) {
                Block block = new Block(11L * increment, count, increment);
                stock.arrived(new Reservation(block, DEFINITION, 1), 5, 2, 3, 7);
            }
            assertThat(stock.discarded(true))
                    .extracting(held -> held.block().count())
                    .containsExactlyInAnyOrder(1L, 2L, 5L);
        }
    }

    @Test
    void what_is_held_is_ordered_as_the_store_dealt_it() {
        Stock.Unused first = new Stock.Unused(new Block(-1, 3, -1), 1);
        Stock.Unused second = new Stock.Unused(new Block(Long.MIN_VALUE + 4, 5, -1), 1);
        Stock.Unused third = new Stock.Unused(new Block(1, 5, 1), 2);
        Stock.Unused fourth = new Stock.Unused(new Block(11, 5, 1), 2);
        List<Stock.Unused> held = new ArrayList<>(List.of(fourth, second, third, first));
        Collections.sort(held);
        assertThat(held).containsExactly(first, second, third, fourth);
    }

    @Test
    void counts_a_remainder_among_the_values_left() {
        arrives(1, 3);
        arrives(11, 4);
        assertThat(stock.take(4, false)).isEqualTo(new Block(11, 4, 1));
        stock.sent(6, 2);
        assertThat(sizing.told).last().isEqualTo("sent at 6, wanted 6");
        arrives(21, 1);
        assertThat(stock.take(3, false)).isEqualTo(new Block(1, 3, 1));
        assertThat(stock.take(1, false)).isEqualTo(new Block(21, 1, 1));
    }
}
