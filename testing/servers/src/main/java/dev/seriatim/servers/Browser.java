// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.nio.file.Path;
import java.util.Optional;

/** A headless browser, Chromium, and the WebDriver server that drives it. */
public record Browser(Path program, Path driver) {

    static final String TITLE = "Browser";

    /** Finds both programs. If one is not installed, skips or fails the test. */
    public static Browser installed() {
        Availability.check(TITLE, missing());
        return new Browser(
                Commands.find("chromium").orElseThrow(),
                Commands.find("chromedriver").orElseThrow());
    }

    /** Returns why no browser is available, with the remedy; empty if one is. Starts nothing. */
    public static Optional<String> missing() {
        boolean both = Commands.find("chromium").isPresent()
                && Commands.find("chromedriver").isPresent();
        return both
                ? Optional.empty()
                : Optional.of("chromium or chromedriver is not installed; apt install chromium chromium-driver");
    }
}
