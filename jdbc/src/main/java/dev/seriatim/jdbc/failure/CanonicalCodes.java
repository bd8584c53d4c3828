// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import java.util.regex.Pattern;

/** Messages of clients over gRPC: with a canonical code in front, once for each layer, and with details behind. */
final class CanonicalCodes {

    private static final Pattern CODES = Pattern.compile("^([A-Z_]+): (?:[\\w.]+Exception: \\1: )+");
    private static final Pattern DETAILS =
            Pattern.compile("(?s)(?:\\s*\\nresource_type: .*| \\[at \\d+:\\d+\\].*| - (?:Statement|RequestId): .*)$");

    private CanonicalCodes() {}

    /** What it says without its wrapping; what others say as it is. */
    static String unwrapped(String message) {
        return CODES.matcher(message).find()
                ? DETAILS.matcher(CODES.matcher(message).replaceFirst("$1: ")).replaceFirst("")
                : message;
    }
}
