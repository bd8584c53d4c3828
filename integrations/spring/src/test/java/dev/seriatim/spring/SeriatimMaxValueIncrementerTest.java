// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.memory.InMemorySequences;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeriatimMaxValueIncrementerTest {

    private final InMemorySequences sequences = InMemorySequences.open();

    @AfterEach
    void close() {
        sequences.close();
    }

    @Test
    void each_call_draws_one_number() {
        SeriatimMaxValueIncrementer incrementer = new SeriatimMaxValueIncrementer(sequences.ordered("batch_id"));
        assertThat(incrementer.nextIntValue()).isEqualTo(1);
        assertThat(incrementer.nextLongValue()).isEqualTo(2);
        assertThat(incrementer.nextStringValue()).isEqualTo("3");
    }

    @Test
    void texts_are_padded_and_never_cut() {
        Sequence sequence = from(98);
        SeriatimMaxValueIncrementer incrementer = new SeriatimMaxValueIncrementer(sequence, 3);
        assertThat(incrementer.nextStringValue()).isEqualTo("098");
        assertThat(new SeriatimMaxValueIncrementer(sequence, 1).nextStringValue())
                .isEqualTo("99");
        assertThat(incrementer.nextStringValue()).isEqualTo("100");
    }

    @Test
    void zeros_follow_the_sign() {
        sequences.define(
                SequenceDefinition.named("below").startWith(-7L).minValue(-7L).build());
        assertThat(new SeriatimMaxValueIncrementer(sequences.ordered("below"), 4).nextStringValue())
                .isEqualTo("-007");
    }

    @Test
    void an_int_that_overflows_is_refused() {
        SeriatimMaxValueIncrementer incrementer = new SeriatimMaxValueIncrementer(from(Integer.MAX_VALUE));
        assertThat(incrementer.nextIntValue()).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(incrementer::nextIntValue)
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessage(
                        "sequence 'batch_id': its next value 2147483648 does not fit into an int; use nextLongValue, or give the"
                                + " sequence a max value of 2147483647");
        assertThat(incrementer.nextLongValue()).isEqualTo(2_147_483_649L);
    }

    @Test
    void a_negative_length_is_refused() {
        assertThatThrownBy(() -> new SeriatimMaxValueIncrementer(from(1), -1))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessage(
                        "sequence 'batch_id': a text cannot have -1 characters; give a padding length of 0 or more");
    }

    private Sequence from(long start) {
        sequences.define(SequenceDefinition.named("batch_id").startWith(start).build());
        return sequences.ordered("batch_id");
    }
}
