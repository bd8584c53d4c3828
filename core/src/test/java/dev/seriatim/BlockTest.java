// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BlockTest {

    @Test
    void holds_values_one_increment_apart() {
        Block block = new Block(10, 3, -4);
        assertThat(block).containsExactly(10L, 6L, 2L);
        assertThat(block.last()).isEqualTo(2);
        assertThat(block.get(1)).isEqualTo(6);
        assertThat(block.tail(2)).isEqualTo(new Block(2, 1, -4));
    }

    @Test
    void refuses_shapes_that_are_none() {
        assertThatThrownBy(() -> new Block(1, 0, 1)).hasMessage("count of a block must be at least 1, not 0");
        assertThatThrownBy(() -> new Block(1, 1, 0)).hasMessageContaining("increment");
        assertThatThrownBy(() -> new Block(Long.MAX_VALUE, 2, 1)).hasMessageContaining("64 bits");
        assertThatThrownBy(() -> new Block(1, 2, 1).get(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void reaches_the_last_value_of_64_bits() {
        assertThat(new Block(Long.MAX_VALUE - 1, 2, 1).last()).isEqualTo(Long.MAX_VALUE);
        assertThat(new Block(Long.MIN_VALUE, 3, Long.MAX_VALUE).last()).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(new Block(Long.MIN_VALUE, 1, Long.MIN_VALUE).last()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void has_a_value_at_each_of_its_places_and_at_no_other() {
        Block block = new Block(10, 3, -4);
        assertThat(block.get(0)).isEqualTo(10);
        assertThat(block.get(2)).isEqualTo(2);
        assertThatThrownBy(() -> block.get(-1))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("a block of 3 values has no value -1");
        assertThatThrownBy(() -> block.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(block.values()).containsExactly(10L, 6L, 2L);
    }

    @Test
    void is_cut_into_pieces() {
        Block block = new Block(10, 3, -4);
        assertThat(block.tail(0)).isEqualTo(block);
        assertThat(block.tail(1)).isEqualTo(new Block(6, 2, -4));
        assertThat(block.slice(1, 1)).isEqualTo(new Block(6, 1, -4));
        assertThat(block.slice(0, 2)).isEqualTo(new Block(10, 2, -4));
    }

    @Test
    void leaves_64_bits_at_neither_end() {
        assertThat(new Block(Long.MIN_VALUE + 1, 2, -1).last()).isEqualTo(Long.MIN_VALUE);
        assertThatThrownBy(() -> new Block(Long.MIN_VALUE + 1, 3, -1)).hasMessageContaining("64 bits");
        assertThatThrownBy(() -> new Block(Long.MIN_VALUE, 4, Long.MAX_VALUE)).hasMessageContaining("64 bits");
        assertThatThrownBy(() -> new Block(0, -1, 1)).hasMessageEndingWith("at least 1, not -1");
    }
}
