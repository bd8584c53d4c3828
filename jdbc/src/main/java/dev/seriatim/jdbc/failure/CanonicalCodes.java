// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import java.util.regex.Pattern;

/** Messages of gRPC clients: each layer adds a canonical code in front and details behind. */
final class CanonicalCodes {

    private static final Pattern CODES = Pattern.compile("^([A-Z_]+): (?:[\\w.]+Exception: \\1: )++");
    private static final Pattern DETAILS = Pattern.compile(
            "(?s)(?:(?<!\\s)\\s*\\nresource_type: .*| \\[at \\d+:\\d+\\].*| - (?:Statement|RequestId): .*)$");

    private CanonicalCodes() {}

    /** Returns a message without its wrapping; other messages are returned unchanged. */
    static String unwrapped(String message) {
        return CODES.matcher(message).find()
                ? DETAILS.matcher(CODES.matcher(message).replaceFirst("$1: ")).replaceFirst("")
                : message;
    }
}
