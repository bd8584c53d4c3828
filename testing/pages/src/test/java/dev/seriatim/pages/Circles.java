// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Who reaches each other: the strongly connected components of a graph (R. Tarjan, SIAM J. Comput. 1, 1972). */
final class Circles {

    private final Map<String, Set<String>> arrows;
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final List<Set<String>> circles = new ArrayList<>();

    Circles(Map<String, Set<String>> arrows) {
        this.arrows = arrows;
        for (String node : arrows.keySet()) {
            if (!order.containsKey(node)) {
                visit(node);
            }
        }
    }

    List<Set<String>> largerThan(int nodes) {
        return circles.stream().filter(circle -> circle.size() > nodes).toList();
    }

    private void visit(String node) {
        int place = order.size();
        order.put(node, place);
        lowest.put(node, place);
        path.push(node);
        for (String next : arrows.getOrDefault(node, Set.of())) {
            if (!order.containsKey(next)) {
                visit(next);
                lowest.merge(node, lowest.getOrDefault(next, place), Math::min);
            } else if (path.contains(next)) {
                lowest.merge(node, order.getOrDefault(next, place), Math::min);
            }
        }
        if (lowest.getOrDefault(node, place) == place) {
            Set<String> circle = new TreeSet<>();
            String member;
            do {
                member = path.pop();
                circle.add(member);
            } while (!member.equals(node));
            circles.add(circle);
        }
    }
}
