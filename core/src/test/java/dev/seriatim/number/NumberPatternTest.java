// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberPatternTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "INV-{seq:6} | 42 | INV-000042",
                "INV-{seq:6} | 999999 | INV-999999",
                "{seq} | 0 | 0",
                "{seq} | 9223372036854775807 | 9223372036854775807",
                "{seq}/2026 | 17 | 17/2026",
                "{{{seq:2}}} | 7 | {07}",
                "{seq:4,radix=16} | 48879 | BEEF",
                "{seq:13,radix=32} | 9223372036854775807 | 7ZZZZZZZZZZZZ",
                "{seq:radix=32} | 32767 | ZZZ",
                "{seq:radix=36} | 9223372036854775807 | 1Y2P0IJ32E8E7",
                "{seq:20} | 9223372036854775807 | 09223372036854775807",
                "{seq:10,check=luhn} | 7992739871 | 79927398713",
                "R{seq:6,check=damm} | 572 | R0005724",
                "{seq:6,check=mod97} | 794 | 00079444",
                "{seq:6, radix=36, check=mod97} | 1000 | 0000RS62",
                "{seq:6,check=none,max=6} | 5 | 000005",
                "AA--{seq} | 5 | AA--5",
                "{seq:2,max=4}-X | 7 | 07-X",
                "{seq:max=100000} | 7 | 7",
                "größe {seq:2} €,max | 5 | größe 05 €,max",
            })
    void writes_numbers_and_reads_them_back(String pattern, long number, String text) {
        assertThat(NumberPattern.of(pattern).format(number)).isEqualTo(text);
        assertThat(NumberPattern.of(pattern).parse(text)).isEqualTo(number);
    }

    @Test
    void reads_back_what_any_pattern_writes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] radixes = {"10", "16", "32", "36"};
        for (int round = 0; round < 5_000; round++) {
            String radix = radixes[random.nextInt(radixes.length)];
            String check = new String[] {"none", "mod97", "luhn", "damm"}[random.nextInt(radix.equals("10") ? 4 : 2)];
            String width = random.nextBoolean() ? "" : (19 + random.nextInt(5)) + ",";
            NumberPattern pattern = NumberPattern.of("A1{seq:" + width + "radix=" + radix + ",check=" + check + "}0Z");
            long number = random.nextLong() >>> (1 + random.nextInt(63));
            String text = pattern.format(number);
            String what = "seed " + seed + ", " + pattern + ", " + text;
            assertThat(pattern.parse(text)).as(what).isEqualTo(number);
            String small = "A1" + text.substring(2, text.length() - 2).toLowerCase(Locale.ROOT) + "0Z";
            assertThat(pattern.parse(small)).as(what).isEqualTo(number);
        }
    }

    @Test
    void reads_what_looks_like_a_digit_in_radix_32() {
        NumberPattern pattern = NumberPattern.of("{seq:6,radix=32,check=mod97}");
        String text = pattern.format(32 * 32 + 1); // 000101
        assertThat(text).startsWith("000101");
        assertThat(pattern.parse("oO0IOl" + text.substring(6))).isEqualTo(1025);
        assertThat(pattern.parse("OOOiOL" + text.substring(6))).isEqualTo(1025);
    }

    @Test
    void takes_an_overflow_of_the_padding_for_an_error() {
        assertThatThrownBy(() -> NumberPattern.of("INV-{seq:6}").format(1_000_000))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll("1000000 has 7 digits", "'INV-{seq:6}'", "allows 6", "wider pattern");
        assertThatThrownBy(() -> NumberPattern.of("{seq:1,radix=36}").format(36))
                .isInstanceOf(SequenceException.OutOfRange.class);
    }

    @Test
    void keeps_texts_within_their_maximum() {
        NumberPattern pattern = NumberPattern.of("É{seq:max=4}");
        assertThat(pattern.format(999)).isEqualTo("É999");
        assertThatThrownBy(() -> pattern.format(1000))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll("1000 gives a text of 5 characters", "max=4");
        assertThatThrownBy(() -> pattern.parse("É1000"))
                .isInstanceOf(SequenceException.Malformed.class)
                .hasMessageContaining("longer than 4");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void refuses_negative_numbers(long number) {
        assertThatThrownBy(() -> NumberPattern.of("{seq}").format(number))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll(number + " is negative", "numbers from 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "INV | has no {seq}",
                "\"\" | has no {seq}",
                "a{seq | '{' at character 2 without a '}'",
                "a}b{seq} | '}' at character 2 without a '{'",
                "{seq}} | '}' at character 6",
                "{seq}-{seq} | second field at character 7",
                "{seqs} | '{seqs}' at character 1; the only field is {seq}",
                "{} | '{}' at character 1",
                "{seq,radix=36} | options after a colon",
                "{seq:} | '', which is not an option",
                "{seq:x} | 'x', which is not an option",
                "{seq:-6} | '-6', which is not an option",
                "{seq:=6} | '=6', which is not an option",
                "{seq:0} | '0', which must be from 1 to 64",
                "{seq:65} | '65', which must be from 1 to 64",
                "{seq:6,7} | a second width, '7'",
                "{seq:radix=10,radix=16} | a second radix, 'radix=16'",
                "{seq:radix=2} | 'radix=2'; the radix must be 10, 16, 32 or 36",
                "{seq:check=crc} | 'check=crc'; the check must be one of none, luhn, damm, mod97",
                "{seq:colour=red} | 'colour=red', which is not an option",
                "{seq:radix=16,check=luhn} | check=luhn, which requires radix 10; use check=mod97 with radix 16",
                "{seq:radix=36,check=damm} | check=damm, which requires radix 10",
                "INV-{seq:6,max=9} | at least 10 characters, which is more than its max=9",
                "{seq:6,max=7}-X | at least 8 characters",
                "{seq:max=100001} | 'max=100001', which must be from 1 to 100000",
                "{seq:max=2,check=mod97} | at least 3 characters",
                "{seq:max=0} | 'max=0', which must be from 1",
            })
    void refuses_patterns_that_are_none_and_says_why(String pattern, String message) {
        assertThatThrownBy(() -> NumberPattern.of(pattern))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("'" + pattern + "'", message);
    }

    @Test
    void keeps_numbers_and_messages_on_one_line() {
        assertThatThrownBy(() -> NumberPattern.of("a\n{seq}"))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("control character at character 2")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> NumberPattern.of("{seq:a\nb}")).hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "INV-{seq:6} | inv-000042 | it must start with 'INV-'",
                "{seq:2}-X | 42-Y | it must end with '-X'",
                "AB{seq}BA | ABA | it must end with 'BA'",
                "INV-{seq:6} | INV-00042 | from character 5 on, it must have 6 digits of the number, not 5 in all",
                "INV-{seq:6} | INV-0000042 | 6 digits of the number, not 7 in all",
                "INV-{seq:6} | INV- | 6 digits of the number, not 0 in all",
                "{seq:4,check=mod97} | 12345 | 4 digits of the number and 2 of the check, not 5 in all",
                "{seq} | \"\" | at least 1 digits of the number",
                "{seq} | 007 | not have leading zeros",
                "INV-{seq:6} | INV-00A042 | character 7 must be a digit of radix 10, not 'A'",
                "INV-{seq:6} | INV-00-042 | character 7 must be a digit of radix 10, not '-'",
                "INV-{seq:6} | INV-٠٠٠٠٤٢ | character 5 must be a digit of radix 10",
                "{seq:4,radix=16} | 00G0 | character 3 must be a digit of radix 16, not 'G'",
                "{seq:4,radix=32} | 00U0 | character 3 must be a digit of radix 32, not 'U'",
                "{seq:10,check=luhn} | 79927398710 | the check digits of 7992739871 by LUHN are 3, not 0; correct the mistyped character",
                "{seq:3,check=damm} | 5274 | by DAMM are",
                "{seq} | 9223372036854775808 | at most 9223372036854775807",
                "{seq:25} | 9999999999999999999999999 | at most 9223372036854775807",
            })
    void says_what_is_wrong_with_a_text(String pattern, String text, String message) {
        assertThatThrownBy(() -> NumberPattern.of(pattern).parse(text))
                .isInstanceOf(SequenceException.Malformed.class)
                .hasMessageContainingAll("'" + text + "' is not a number of the pattern '" + pattern + "'", message);
    }

    @Test
    void is_a_value() {
        NumberPattern pattern = NumberPattern.of("INV-{seq:6}");
        assertThat(pattern)
                .isEqualTo(NumberPattern.of("INV-{seq:6}"))
                .hasSameHashCodeAs(NumberPattern.of("INV-{seq:6}"))
                .isNotEqualTo(NumberPattern.of("INV-{seq:7}"))
                .hasToString("'INV-{seq:6}'");
    }

    @Test
    void has_room_for_64_digits() {
        assertThat(NumberPattern.of("{seq:64}").format(7)).isEqualTo("0".repeat(63) + "7");
    }
}
