// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Moves labels apart until none overlap, each as little as possible: labels are sorted by their preferred positions; neighbours that
 * overlap form a pile, which moves to the mean of its members' preferred positions (pool adjacent violators algorithm).
 */
final class Spread {

    /** A label with the preferred position of its middle, and its height. */
    record Wish(double middle, double height) {}

    private record Pile(List<Wish> members, double start, double end) {
        static Pile of(List<Wish> members, double top, double bottom) {
            double height = 0;
            double starts = 0;
            for (Wish wish : members) {
                starts += wish.middle - wish.height / 2 - height;
                height += wish.height;
            }
            double start = Math.max(top, Math.min(starts / members.size(), bottom - height));
            return new Pile(members, start, start + height);
        }
    }

    private Spread() {}

    /** Returns the middles in the order of the preferences; within the bounds if there is room. */
    static List<Double> apart(List<Wish> wishes, double top, double bottom) {
        Deque<Pile> piles = new ArrayDeque<>();
        for (Wish wish :
                wishes.stream().sorted(Comparator.comparingDouble(Wish::middle)).toList()) {
            Pile pile = Pile.of(List.of(wish), top, bottom);
            while (!piles.isEmpty() && piles.getLast().end > pile.start) {
                List<Wish> together = new ArrayList<>(piles.removeLast().members);
                together.addAll(pile.members);
                pile = Pile.of(together, top, bottom);
            }
            piles.add(pile);
        }
        // Equal wishes are of different labels.
        IdentityHashMap<Wish, Double> middles = new IdentityHashMap<>();
        for (Pile pile : piles) {
            double at = pile.start;
            for (Wish wish : pile.members) {
                middles.put(wish, at + wish.height / 2);
                at += wish.height;
            }
        }
        return wishes.stream().map(middles::get).toList();
    }
}
