// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.session;

/** Formats an estimated duration. */
final class Estimate {

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;

    private Estimate() {}

    static String words(double seconds) {
        long whole = (long) Math.ceil(seconds);
        if (whole <= 1) {
            return "a second";
        }
        if (whole < 2 * MINUTE) {
            return whole + " seconds";
        }
        return whole < 2 * HOUR ? Math.round(seconds / MINUTE) + " minutes" : Math.round(seconds / HOUR) + " hours";
    }
}
