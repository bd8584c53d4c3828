// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClosestTest {

    private static final List<String> KNOWN =
            List.of("create", "next", "list", "show", "--start-with", "--store", "--help", "-n");

    @ParameterizedTest
    @CsvSource({
        "nxt, next",
        "enxt, next",
        "nextt, next",
        "netx, next",
        "crate, create",
        "shwo, show",
        "--start-wiht, --start-with",
        "--stroe, --store",
        "--start, --start-with",
        "--store-wth, --start-with"
    })
    void finds_the_word_that_was_meant(String typed, String meant) {
        assertThat(Closest.to(typed, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"zzzz", "x", "-x", "--where", "delete-everything", "''"})
    void does_not_guess_when_nothing_is_near(String typed) {
        assertThat(Closest.to(typed, KNOWN)).isEmpty();
    }

    @Test
    void counts_mistakes() {
        assertThat(Closest.mistakes("", "abc")).isEqualTo(3);
        assertThat(Closest.mistakes("abc", "abc")).isZero();
        assertThat(Closest.mistakes("bac", "abc")).isEqualTo(2);
        assertThat(Closest.mistakes("axc", "abcd")).isEqualTo(2);
    }
}
