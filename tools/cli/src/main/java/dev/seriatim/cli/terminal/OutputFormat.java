// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.util.Locale;

/** The values of {@code --format}. */
public enum OutputFormat {
    TEXT,
    JSON;

    public static final String CHOICES = "One of: ${COMPLETION-CANDIDATES}. Default: text.";

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
