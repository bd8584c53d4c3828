// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/** Suggests a known word for a mistyped one. */
public final class Closest {

    private static final int MISTAKES = 3;

    private Closest() {}

    /** Returns the known word with the fewest mistakes; empty if none is close enough. */
    public static Optional<String> to(String typed, Collection<String> known) {
        return known.stream()
                .filter(word -> mistakes(typed, word)
                        <= Math.min(MISTAKES, word.replaceFirst("^-+", "").length() / 2))
                .min(Comparator.comparingInt((String word) -> mistakes(typed, word))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Returns the number of letters inserted, deleted or replaced; none if the word only goes on after what was typed. */
    static int mistakes(String typed, String meant) {
        int[] cost = IntStream.rangeClosed(0, meant.length()).toArray();
        for (int i = 1; i <= typed.length(); i++) {
            int diagonal = cost[0];
            cost[0] = i;
            for (int j = 1; j <= meant.length(); j++) {
                int replaced = diagonal + (typed.charAt(i - 1) == meant.charAt(j - 1) ? 0 : 1);
                diagonal = cost[j];
                cost[j] = Math.min(replaced, 1 + Math.min(cost[j - 1], cost[j]));
            }
        }
        return typed.length() > MISTAKES && meant.startsWith(typed) ? 0 : cost[meant.length()];
    }
}
