// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {

    @Test
    void numbers_have_three_digits_and_thousands_a_letter() {
        assertThat(List.of(
                        Value.brief(0),
                        Value.brief(0.0616),
                        Value.brief(0.00042),
                        Value.brief(5),
                        Value.brief(64.04),
                        Value.brief(999.4),
                        Value.brief(999.6),
                        Value.brief(1640),
                        Value.brief(59_954),
                        Value.brief(100_000),
                        Value.brief(2.5e6),
                        Value.brief(1e9),
                        Value.brief(1e16),
                        Value.brief(Double.POSITIVE_INFINITY)))
                .containsExactly(
                        "0", "0.0616", "0.00042", "5", "64", "999", "1k", "1.64k", "60k", "100k", "2.5M", "1G",
                        "10000T", "–");
    }

    @Test
    void text_is_broken_between_words_and_within_long_ones() {
        assertThat(Size.lines("one two three", 5, 3)).containsExactly("one two", "three");
        assertThat(Size.lines("", 5, 3)).containsExactly("");
        assertThat(Size.lines("aaaaaaaaaaaa", 3.3, 9)).containsExactly("aaaaa", "aaaaa", "aa");
        assertThat(Size.lines("one two three four", 3, 2))
                .hasSize(2)
                .last()
                .asString()
                .endsWith("…");
        assertThat(Size.lines("𝄞𝄞𝄞", 1.2, 9)).containsExactly("𝄞", "𝄞", "𝄞");
    }

    @Test
    void markup_in_text_is_text() {
        assertThat(Page.escaped("<a href=\"x\">&'\u0000\ud800"))
                .isEqualTo("&lt;a href=&quot;x&quot;&gt;&amp;&#39;\ufffd\ufffd");
    }
}
