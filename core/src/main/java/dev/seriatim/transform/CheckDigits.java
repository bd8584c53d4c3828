// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

/** What is computed from digits and put behind them, so that mistyped ones are found. */
enum CheckDigits {
    NONE("none", 0) {
        @Override
        String of(String digits) {
            return "";
        }
    },

    /** H. P. Luhn, US patent 2,950,048; ISO/IEC 7812-1 annex B. Finds every wrong digit, and swaps of neighbours but 09 and 90. */
    LUHN("luhn", 1) {
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

    /** H. M. Damm: Total anti-symmetrische Quasigruppen (Marburg, 2004). Finds every wrong digit and every swap of neighbours. */
    DAMM("damm", 1) {
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
     * ISO 7064 mod 97-10: the whole is 1 modulo 97. In radix 10 it finds every wrong digit and every swap of neighbours, and of
     * anything else all but one in 97; with letters that of all.
     */
    MOD97("mod97", 2) {
        @Override
        String of(String digits) {
            int check = 98 - remainder(digits + "00");
            return check < 10 ? "0" + check : String.valueOf(check);
        }
    };

    /** Totally anti-symmetric, of order 10: row by interim digit, column by the next one. */
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

    private final String word;
    private final int length;

    CheckDigits(String word, int length) {
        this.word = word;
        this.length = length;
    }

    /** Its name in a pattern. */
    String word() {
        return word;
    }

    /** How many characters it adds. */
    int length() {
        return length;
    }

    boolean takes(Radix radix) {
        return this == NONE || this == MOD97 || radix == Radix.DECIMAL;
    }

    /** The check digits of digits as {@link Radix#digits} writes them. */
    abstract String of(String digits);

    /** Modulo 97, with letters as the two digits 10 … 35. */
    private static int remainder(String digits) {
        int remainder = 0;
        for (int i = 0; i < digits.length(); i++) {
            int value = Character.digit(digits.charAt(i), Character.MAX_RADIX);
            remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
        }
        return remainder;
    }
}
