// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests a known word for a mistyped one. */
public final class Closest {

    private static final int MISTAKES = 3;

    private Closest() {}

    /** Returns the known word with the fewest mistakes; empty if none is close enough. */
    public static Optional<String> to(String typed, Collection<String> known) {
        return known.stream()
                .filter(word -> mistakes(typed, word) <= Math.min(MISTAKES, word.length() / 2))
                .min(Comparator.comparingInt((String word) -> mistakes(typed, word))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Returns the edit distance: the number of letters inserted, deleted, replaced, or swapped with their neighbours. */
    static int mistakes(String typed, String meant) {
        int[][] cost = new int[typed.length() + 1][meant.length() + 1];
        for (int i = 0; i <= typed.length(); i++) {
            for (int j = 0; j <= meant.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                boolean same = typed.charAt(i - 1) == meant.charAt(j - 1);
                cost[i][j] =
                        Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1
                        && j > 1
                        && typed.charAt(i - 1) == meant.charAt(j - 2)
                        && typed.charAt(i - 2) == meant.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[typed.length()][meant.length()];
    }
}
