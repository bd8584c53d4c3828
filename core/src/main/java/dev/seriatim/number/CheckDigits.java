// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import java.util.Locale;

/** Check digits that are appended to a number's digits, to detect mistyped ones. */
enum CheckDigits {
    NONE(0),

    /**
     * H. P. Luhn, US patent 2,950,048; ISO/IEC 7812-1 annex B. Detects every wrong digit, and every swap of neighbours
     * except 09 and 90.
     */
    LUHN(1) {
        @Override
        String of(String digits) {
            int sum = 0;
            for (int i = digits.length() - 1, weight = 2; i >= 0; i--, weight = 3 - weight) {
                int product = weight * (digits.charAt(i) - '0');
                sum += product > 9 ? product - 9 : product;
            }
            return String.valueOf((10 - sum % 10) % 10);
        }
    },

    /**
     * H. M. Damm: Total anti-symmetrische Quasigruppen (Marburg, 2004). Detects every wrong digit and every swap of
     * neighbours.
     */
    DAMM(1) {
        @Override
        String of(String digits) {
            int interim = 0;
            for (int i = 0; i < digits.length(); i++) {
                interim = QUASIGROUP[interim].charAt(digits.charAt(i) - '0') - '0';
            }
            return String.valueOf(interim);
        }
    },

    /**
     * ISO 7064 mod 97-10: the whole number is 1 modulo 97. In radix 10 it detects every wrong digit, every swap of
     * neighbours, and all but one in 97 other errors; with letters, all but one in 97 of all errors.
     */
    MOD97(2) {
        @Override
        String of(String digits) {
            int check = 98 - remainder(digits + "00");
            return check < 10 ? "0" + check : String.valueOf(check);
        }
    };

    /** Rows by interim digit, columns by the next digit. */
    private static final String[] QUASIGROUP = {
        "0317598642",
        "7092154863",
        "4206871359",
        "1750983426",
        "6123045978",
        "3674209581",
        "5869720134",
        "8945362017",
        "9438617205",
        "2581436790",
    };

    private final int length;

    CheckDigits(int length) {
        this.length = length;
    }

    /** Returns its name in a pattern. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    int length() {
        return length;
    }

    boolean takes(Radix radix) {
        return this == NONE || this == MOD97 || radix == Radix.DECIMAL;
    }

    /** Returns the check digits of digits as {@link Radix#digits} writes them. */
    String of(String digits) {
        return "";
    }

    /** Returns the remainder modulo 97, with letters as the two digits 10 … 35. */
    private static int remainder(String digits) {
        int remainder = 0;
        for (int i = 0; i < digits.length(); i++) {
            int value = Character.digit(digits.charAt(i), Character.MAX_RADIX);
            remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
        }
        return remainder;
    }
}
