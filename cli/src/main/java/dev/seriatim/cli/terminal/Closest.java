// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody meant who mistyped it. */
public final class Closest {

    private static final int MISTAKES = 3;

    private Closest() {}

    /** The known word that is fewest mistakes away; empty when each is too far from it to be a guess. */
    public static Optional<String> to(String typed, Collection<String> known) {
        return known.stream()
                .filter(word -> mistakes(typed, word) <= Math.min(MISTAKES, word.length() / 2))
                .min(Comparator.comparingInt((String word) -> mistakes(typed, word))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** How many letters were added, left out, exchanged for others, or swapped with their neighbours. */
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
