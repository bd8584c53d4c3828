// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A browser without a window, and the program that drives it. Immutable and thread-safe.
 *
 * @param program Chromium
 * @param driver the program that speaks WebDriver and drives it
 */
public record Browser(Path program, Path driver) {

    static final String TITLE = "Browser";

    /** Where they are. Skips the test, or fails it where {@code SERIATIM_TEST_REQUIRE} names {@code browser}, if they are not. */
    public static Browser installed() {
        Availability.check(TITLE, missing());
        return new Browser(
                Commands.find("chromium").orElseThrow(),
                Commands.find("chromedriver").orElseThrow());
    }

    /** Why there is none, and the remedy; empty if there is one. Starts nothing. */
    public static Optional<String> missing() {
        boolean both = Commands.find("chromium").isPresent()
                && Commands.find("chromedriver").isPresent();
        return both
                ? Optional.empty()
                : Optional.of("there is no chromium with its chromedriver; 'apt install chromium chromium-driver'");
    }
}
