// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/** Skips what is not installed, aloud and once, or fails where the environment says that it has to be there. */
final class Availability {
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private Availability() {}

    static void check(Engine engine, Optional<String> missing) {
        missing.ifPresent(reason -> refuse(engine, reason));
    }

    private static void refuse(Engine engine, String reason) {
        String line = "%s, since %s, or set %s".formatted(engine.title(), reason, engine.variable());
        if (required().contains(engine.toString())) {
            throw new AssertionError("SERIATIM_TEST_REQUIRE names " + engine + ", but there is no " + line);
        }
        if (TOLD.add(engine.title())) {
            System.err.println("skipped: " + line);
        }
        Assumptions.abort("skipped: " + line);
    }

    private static Set<String> required() {
        String names = System.getenv().getOrDefault("SERIATIM_TEST_REQUIRE", "");
        return Arrays.stream(names.split(",", -1))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }
}
