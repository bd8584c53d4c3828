// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import org.junit.jupiter.api.Test;

/** The checkers are given faults and must detect them. */
class HistoryTest {

    private final History history = new History();

    @Test
    void sees_a_value_that_was_dealt_twice() {
        history.add(1, 2, new Block(1, 3, 1));
        history.add(3, 4, new Block(3, 1, 1));
        assertThat(history.duplicates()).isEqualTo(1);
        assertThat(history.orderViolations(true)).isEqualTo(1);
    }

    @Test
    void sees_a_lower_value_dealt_after_a_higher_one_and_not_while_it_was_under_way() {
        history.add(1, 5, new Block(9, 1, 1));
        history.add(2, 3, new Block(4, 1, 1));
        assertThat(history.orderViolations(true)).isZero();
        history.add(6, 7, new Block(8, 1, 1));
        assertThat(history.orderViolations(true)).isEqualTo(1);
    }

    @Test
    void sees_the_order_of_a_descending_sequence() {
        history.add(1, 2, new Block(-1, 2, -1));
        history.add(3, 4, new Block(-3, 1, -1));
        assertThat(history.orderViolations(false)).isZero();
        history.add(5, 6, new Block(-2, 1, -1));
        assertThat(history.orderViolations(false)).isEqualTo(1);
        assertThat(history.duplicates()).isEqualTo(1);
    }
}
