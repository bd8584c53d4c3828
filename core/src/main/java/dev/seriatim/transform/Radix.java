// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

/** What digits a number is written in. */
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

    private static final int LONGEST = Long.SIZE;

    private final String alphabet;

    Radix(String alphabet) {
        this.alphabet = alphabet;
    }

    int base() {
        return alphabet.length();
    }

    /** A number from 0 up, without zeros in front. */
    String digits(long number) {
        char[] digits = new char[LONGEST];
        int from = LONGEST;
        long rest = number;
        do {
            digits[--from] = alphabet.charAt((int) (rest % base()));
            rest /= base();
        } while (rest > 0);
        return new String(digits, from, LONGEST - from);
    }

    /** The value of a digit as {@link #plain} makes it; negative when it is none. */
    int value(char digit) {
        return alphabet.indexOf(digit);
    }

    /** A digit as it is written by {@link #digits}; small letters and look-alikes are read too. */
    char plain(char digit) {
        return digit >= 'a' && digit <= 'z' ? (char) (digit - 'a' + 'A') : digit;
    }
}
