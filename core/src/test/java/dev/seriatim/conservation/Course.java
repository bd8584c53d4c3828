// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The course of a counter that deals without gaps: one number after another, with an administrator's changes in their
 * order, each somewhere between two numbers. Follows all possible courses at once.
 */
final class Course {

    /** A possible state, after some of the changes. */
    private record Here(SequenceState state, int changed) {}

    private final List<Changes.Change> changes;
    private Set<Here> possible;

    private Course(SequenceState first, List<Changes.Change> changes) {
        this.changes = changes;
        possible = withChanges(Set.of(new Here(first, 0)));
    }

    /** Returns why these numbers cannot have been dealt in this order, with this final state; empty if they can. */
    static String fault(SequenceState first, List<Changes.Change> changes, List<Long> numbers, SequenceState last) {
        Course course = new Course(first, changes);
        for (int i = 0; i < numbers.size(); i++) {
            Set<Here> before = course.possible;
            if (!course.deals(numbers.get(i))) {
                return "number " + (i + 1) + " cannot be " + numbers.get(i) + " after "
                        + numbers.subList(Math.max(0, i - 8), i) + ", but one of " + nexts(before) + "; changes "
                        + changes;
            }
        }
        return course.possible.contains(new Here(last, changes.size()))
                ? ""
                : "after " + numbers.size() + " numbers, the last of them "
                        + numbers.subList(Math.max(0, numbers.size() - 8), numbers.size()) + ", the counter cannot be "
                        + last + ", but one of " + course.possible + "; changes " + changes;
    }

    private boolean deals(long number) {
        Set<Here> next = new LinkedHashSet<>();
        for (Here here : possible) {
            try {
                SequenceState.Taken taken = here.state().take(1);
                if (taken.reservation().block().first() == number) {
                    next.add(new Here(taken.after(), here.changed()));
                }
            } catch (SequenceException.Exhausted e) {
                // not a possible course
            }
        }
        possible = withChanges(next);
        return !possible.isEmpty();
    }

    private Set<Here> withChanges(Set<Here> from) {
        Set<Here> reached = new LinkedHashSet<>(from);
        Deque<Here> open = new ArrayDeque<>(from);
        while (!open.isEmpty()) {
            Here here = open.remove();
            for (Here next : changed(here)) {
                if (reached.add(next)) {
                    open.add(next);
                }
            }
        }
        return reached;
    }

    private List<Here> changed(Here here) {
        List<Here> next = new ArrayList<>();
        if (here.changed() == changes.size()) {
            return next;
        }
        Changes.Change change = changes.get(here.changed());
        Here unchanged = new Here(here.state(), here.changed() + 1);
        if (change.outcome() == Changes.Outcome.UNKNOWN) {
            next.add(unchanged);
        }
        try {
            SequenceState after = change.effect().apply(here.state());
            if (change.outcome() != Changes.Outcome.REFUSED) {
                next.add(new Here(after, here.changed() + 1));
            }
        } catch (SequenceException.Misconfigured e) {
            if (change.outcome() == Changes.Outcome.REFUSED) {
                next.add(unchanged);
            }
        }
        return next;
    }

    private static List<String> nexts(Set<Here> heres) {
        return heres.stream()
                .map(here ->
                        (here.state().usedUp() ? "the end " : "") + here.state().nextValue())
                .distinct()
                .toList();
    }
}
