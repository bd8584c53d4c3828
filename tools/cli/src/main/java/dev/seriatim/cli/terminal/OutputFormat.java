// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.util.Locale;

/** The values of {@code --format}. */
public enum OutputFormat {
    /** For people. */
    TEXT,
    /** For programs. */
    JSON;

    /** The description of {@code --format}. */
    public static final String CHOICES = "One of: ${COMPLETION-CANDIDATES}. Default: text.";

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
