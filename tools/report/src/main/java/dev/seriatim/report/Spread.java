// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Moves labels apart until none overlap, each as little as possible: labels are sorted by their preferred positions; neighbours that
 * overlap form a group, which moves to the mean of its members' preferred positions (pool adjacent violators algorithm).
 */
final class Spread {

    /** A label with the preferred position of its middle, and its height. */
    record Wish(double middle, double height) {}

    private Spread() {}

    /** Returns the middles in the order of the preferences; within the bounds if there is room. */
    static List<Double> apart(List<Wish> wishes, double top, double bottom) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < wishes.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparingDouble(i -> wishes.get(i).middle()));
        Deque<Pile> piles = new ArrayDeque<>();
        for (int index : order) {
            Pile pile = new Pile(top, bottom);
            pile.add(index, wishes.get(index));
            while (!piles.isEmpty() && piles.getLast().end() > pile.start()) {
                pile = piles.removeLast().with(pile, wishes);
            }
            piles.add(pile);
        }
        return middles(piles, wishes);
    }

    private static List<Double> middles(Iterable<Pile> piles, List<Wish> wishes) {
        Double[] middles = new Double[wishes.size()];
        for (Pile pile : piles) {
            double at = pile.start();
            for (int index : pile.members) {
                double height = wishes.get(index).height();
                middles[index] = at + height / 2;
                at += height;
            }
        }
        return List.of(middles);
    }

    private static final class Pile {
        final List<Integer> members = new ArrayList<>();
        private final double top;
        private final double bottom;
        private double height;
        private double wishedStarts;

        Pile(double top, double bottom) {
            this.top = top;
            this.bottom = bottom;
        }

        void add(int index, Wish wish) {
            members.add(index);
            wishedStarts += wish.middle() - wish.height() / 2 - height;
            height += wish.height();
        }

        Pile with(Pile below, List<Wish> wishes) {
            below.members.forEach(index -> add(index, wishes.get(index)));
            return this;
        }

        double start() {
            double wished = wishedStarts / members.size();
            return Math.max(top, Math.min(wished, bottom - height));
        }

        double end() {
            return start() + height;
        }
    }
}
