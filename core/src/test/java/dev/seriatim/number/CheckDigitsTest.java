// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CheckDigitsTest {

    private static final int DIGITS = 4;

    /**
     * Published examples: from textbooks for Luhn and Damm, from ISO 7064, an IBAN (rearranged as its standard says),
     * an LEI.
     */
    @ParameterizedTest
    @CsvSource({
        "LUHN, 7992739871, 3",
        "LUHN, 453201511283036, 6",
        "DAMM, 572, 4",
        "MOD97, 794, 44",
        "MOD97, WEST12345698765432GB, 82",
        "MOD97, 5493001KJTIIGC8Y1R, 12",
        "NONE, 572, ''",
    })
    void agree_with_published_examples(CheckDigits check, String digits, String expected) {
        assertThat(check.of(digits)).isEqualTo(expected);
    }

    private static String written(CheckDigits check, int number) {
        String digits = String.format("%04d", number);
        return digits + check.of(digits);
    }

    private static boolean accepted(CheckDigits check, String text) {
        return check.of(text.substring(0, DIGITS)).equals(text.substring(DIGITS));
    }

    private static String withDigit(String text, int place, char digit) {
        return text.substring(0, place) + digit + text.substring(place + 1);
    }

    private static String swapped(String text, int place) {
        return withDigit(withDigit(text, place, text.charAt(place + 1)), place + 1, text.charAt(place));
    }

    private static long wrongDigitsAccepted(CheckDigits check) {
        long accepted = 0;
        for (int number = 0; number < 10_000; number++) {
            String right = written(check, number);
            for (int place = 0; place < right.length(); place++) {
                for (char digit = '0'; digit <= '9'; digit++) {
                    accepted += digit != right.charAt(place) && accepted(check, withDigit(right, place, digit)) ? 1 : 0;
                }
            }
        }
        return accepted;
    }

    private static long swapsAccepted(CheckDigits check) {
        long accepted = 0;
        for (int number = 0; number < 10_000; number++) {
            String right = written(check, number);
            for (int place = 0; place + 1 < right.length(); place++) {
                String swapped = swapped(right, place);
                accepted += !swapped.equals(right) && accepted(check, swapped) ? 1 : 0;
            }
        }
        return accepted;
    }

    @ParameterizedTest
    @EnumSource(value = CheckDigits.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void find_every_wrong_digit(CheckDigits check) {
        assertThat(wrongDigitsAccepted(check)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = CheckDigits.class,
            names = {"DAMM", "MOD97"})
    void find_every_swap_of_neighbours(CheckDigits check) {
        assertThat(swapsAccepted(check)).isZero();
    }

    @Test
    void errors_that_are_not_found_would_be_counted() {
        assertThat(wrongDigitsAccepted(CheckDigits.NONE)).isPositive();
        assertThat(swapsAccepted(CheckDigits.LUHN)).isPositive(); // 09 and 90, as is known
    }

    /** The rule of ISO 7064 itself, in numbers of any length. */
    @Test
    void leave_1_modulo_97_with_each_letter_as_two_digits() {
        for (char digit : "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".toCharArray()) {
            String text = "7" + digit + "3" + digit;
            String number = (text + CheckDigits.MOD97.of(text))
                    .chars()
                    .mapToObj(c -> String.valueOf(Character.digit(c, Character.MAX_RADIX)))
                    .collect(Collectors.joining());
            assertThat(new BigInteger(number).mod(BigInteger.valueOf(97)))
                    .as(text)
                    .isEqualTo(1);
        }
    }
}
