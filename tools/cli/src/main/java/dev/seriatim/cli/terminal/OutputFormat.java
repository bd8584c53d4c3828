// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.util.Locale;

/** The values of {@code --format}. */
public enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
