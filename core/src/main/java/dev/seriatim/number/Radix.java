// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

/** The digits that numbers are written in. */
enum Radix {
    DECIMAL("0123456789"),
    HEXADECIMAL("0123456789ABCDEF"),
    /** D. Crockford: Base 32, <a href="https://www.crockford.com/base32.html">crockford.com/base32.html</a>. */
    CROCKFORD("0123456789ABCDEFGHJKMNPQRSTVWXYZ") {
        @Override
        char plain(char digit) {
            char capital = super.plain(digit);
            return capital == 'O' ? '0' : capital == 'I' || capital == 'L' ? '1' : capital;
        }
    },
    ALPHANUMERIC("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    private final String alphabet;

    Radix(String alphabet) {
        this.alphabet = alphabet;
    }

    int base() {
        return alphabet.length();
    }

    /** Writes a non-negative number, without leading zeros. */
    String digits(long number) {
        StringBuilder digits = new StringBuilder();
        long rest = number;
        do {
            digits.append(alphabet.charAt((int) (rest % base())));
            rest /= base();
        } while (rest > 0);
        return digits.reverse().toString();
    }

    /** Returns the value of a digit as {@link #plain} returns it; negative if it is not a digit. */
    int value(char digit) {
        return alphabet.indexOf(digit);
    }

    /** Converts a digit to the form that {@link #digits} writes; accepts lower-case digits and look-alikes. */
    char plain(char digit) {
        return digit >= 'a' && digit <= 'z' ? (char) (digit - 'a' + 'A') : digit;
    }
}
