// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Skips what is not installed, aloud and once, or fails where the environment says that it has to be there. Thread-safe.
 */
final class Availability {
    private static final String VARIABLE = "SERIATIM_TEST_REQUIRE";
    private static final Availability OF_THIS_JVM = new Availability(required(System.getenv(VARIABLE)), System.err);

    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final Set<String> required;
    private final PrintStream out;

    Availability(Set<String> required, PrintStream out) {
        this.required = Set.copyOf(required);
        this.out = out;
    }

    /** Skips or fails if there is a reason why it is missing. */
    static void check(String title, Optional<String> missing) {
        missing.ifPresent(reason -> OF_THIS_JVM.refuse(title, reason));
    }

    void refuse(String title, String reason) {
        String line = title + ", since " + reason;
        if (required.contains(title.toLowerCase(Locale.ROOT))) {
            throw new AssertionError("required by " + VARIABLE + ": " + line);
        }
        if (told.add(title)) {
            out.println("skipped: " + line);
        }
        Assumptions.abort("skipped: " + line);
    }

    static Set<String> required(@Nullable String names) {
        return Arrays.stream((names == null ? "" : names).split(",", -1))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }
}
