// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The names of modes, for help and messages. Stateless. */
public final class ModeNames {

    private ModeNames() {}

    /** Returns the modes with a property, such as {@code BATCH or ASYNC_BATCH}. */
    public static String or(Predicate<DrawMode> property) {
        return joined(property, " or ");
    }

    /** Returns the message for an option that only modes with a property have. */
    static String goesWith(String option, Predicate<DrawMode> property) {
        return option + " goes with --mode " + or(property) + " only";
    }

    /** Returns the modes with a property, such as {@code BATCH, ASYNC_BATCH and ADAPTIVE}. */
    public static String and(Predicate<DrawMode> property) {
        return joined(property, " and ");
    }

    private static String joined(Predicate<DrawMode> property, String beforeTheLast) {
        List<String> names = with(property).toList();
        int last = names.size() - 1;
        return last <= 0
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + beforeTheLast + names.get(last);
    }

    private static Stream<String> with(Predicate<DrawMode> property) {
        return Arrays.stream(DrawMode.values()).filter(property).map(DrawMode::name);
    }

    public static final class All implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return with(mode -> true).iterator();
        }
    }

    public static final class WithBatchSize implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return with(DrawMode::hasBatchSize).iterator();
        }
    }

    public static final class WithLowWaterMark implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return with(DrawMode::hasLowWaterMark).iterator();
        }
    }
}
