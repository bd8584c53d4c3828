// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappedTextTest {

    @Test
    void lines_are_broken_between_words_and_hang() {
        String words = "word ".repeat(40).strip();
        assertThat(WrappedText.lines(words, 3))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100))
                .satisfiesExactly(
                        line -> assertThat(line).hasSize(99).startsWith("word word"),
                        line -> assertThat(line).startsWith("   word"),
                        line -> assertThat(line).isEqualTo("   word"));
        assertThat(String.join(" ", WrappedText.lines(words, 3)).replaceAll(" +", " "))
                .isEqualTo(words);
    }

    @Test
    void what_fits_is_left_as_it_is_and_a_long_word_has_a_line_to_itself() {
        assertThat(WrappedText.lines("  indented, and short", 4)).containsExactly("  indented, and short");
        assertThat(WrappedText.lines("a " + "x".repeat(120) + " b", 2))
                .containsExactly("a", "  " + "x".repeat(120), "  b");
        assertThat(WrappedText.lines("", 2)).containsExactly("");
        assertThat(WrappedText.ofColumn("x".repeat(70) + " b", 38)).containsExactly("x".repeat(70), "b");
    }
}
