// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The first few violations in words. Text is made for these only, so that a million violations cost no memory. */
final class Examples {

    private static final int MOST = 10;

    private final List<String> lines = new ArrayList<>(MOST);

    boolean full() {
        return lines.size() == MOST;
    }

    /** Adds a line, unless there are enough. */
    void add(String line) {
        if (!full()) {
            lines.add(line);
        }
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    static String numbers(long first, long last) {
        return first == last ? Long.toString(first) : first + " to " + last;
    }

    static String seconds(long time, long since) {
        return String.format(Locale.ROOT, "%.6f s", (time - since) / 1e9);
    }
}
