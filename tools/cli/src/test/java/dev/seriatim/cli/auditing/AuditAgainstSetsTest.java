// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the check with one that keeps sets of big numbers, on random columns in a small window. */
class AuditAgainstSetsTest {

    private static final int WINDOW = 40;
    private static final int CASES = 5_000;

    /** Numbers by their distance from the window's beginning in the direction of the sequence. */
    private record Case(
            long begin,
            long step,
            boolean down,
            int from,
            int counter,
            boolean usedUp,
            List<Integer> column,
            List<Integer> pool) {

        static Case random(Random random, long begin, boolean down) {
            List<Integer> column = new ArrayList<>();
            int density = random.nextInt(1, 5);
            for (int i = 0; i < WINDOW; i++) {
                for (int rows = random.nextInt(6) == 0 ? 2 : 1; rows > 0 && random.nextInt(5) < density; rows--) {
                    column.add(i);
                }
            }
            List<Integer> pool = new ArrayList<>();
            int laidOut = random.nextBoolean() ? 0 : random.nextInt(1, 4);
            for (int i = 0; i < WINDOW; i++) {
                if (random.nextInt(4) < laidOut) {
                    pool.add(i);
                }
            }
            long step = random.nextInt(4) == 0 ? random.nextLong(1, Long.MAX_VALUE) : random.nextInt(1, 6);
            return new Case(
                    begin,
                    step,
                    down,
                    random.nextInt(WINDOW),
                    random.nextInt(WINDOW),
                    random.nextBoolean(),
                    column,
                    pool);
        }

        long number(int place) {
            return down ? begin - place : begin + place;
        }

        Dealt dealt() {
            return new Dealt(number(from), down ? -step : step, number(counter), usedUp);
        }

        List<Block> laidOut() {
            List<Block> runs = new ArrayList<>();
            for (int i = 0; i < pool.size(); i++) { // single numbers, in any order
                runs.add(new Block(number(pool.get((i * 7) % pool.size())), 1, down ? -step : step));
                if (pool.size() % 7 == 0) {
                    runs.set(i, new Block(number(pool.get(i)), 1, 1));
                }
            }
            return runs;
        }

        boolean passed(int place) {
            return place < counter || (usedUp && place == counter);
        }

        boolean inGrid(int place) {
            return place >= from && (place - from) % step == 0;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, false",
        "0, true",
        "9223372036854775768, false", // the window ends with the highest number
        "9223372036854775807, true",
        "-9223372036854775808, false",
        "-9223372036854775769, true" // and here with the lowest
    })
    void finds_what_sets_find(long begin, boolean down) {
        Random random = new Random(4711);
        for (int i = 0; i < CASES; i++) {
            Case tried = Case.random(random, begin, down);
            List<String> found = new ArrayList<>();
            Audit check = new Audit(
                    tried.dealt(),
                    Long.MAX_VALUE,
                    new Findings(finding ->
                            found.add(finding.kind().name().toLowerCase(Locale.ROOT) + " " + finding.text())),
                    new AtomicLong());
            check.laidOut(tried.laidOut());
            tried.column().forEach(place -> check.number(tried.number(place)));
            check.end();
            check.undealt.range().ifPresent(range -> found.add("undealt " + range));
            check.missingAtEnd().ifPresent(range -> found.add("at end " + range));
            assertThat(found).as(tried::toString).containsExactlyInAnyOrderElementsOf(expected(tried));
        }
    }

    private static List<String> expected(Case tried) {
        TreeMap<Integer, Long> rows = tried.column().stream()
                .collect(Collectors.groupingBy(place -> place, TreeMap::new, Collectors.counting()));
        List<String> expected = new ArrayList<>();
        rows.forEach((place, count) -> {
            if (count > 1) {
                expected.add("duplicate " + tried.number(place) + " (" + count + " rows)");
            }
        });
        NavigableSet<Integer> good =
                places(place -> rows.containsKey(place) && tried.inGrid(place) && tried.passed(place));
        NavigableSet<Integer> missing = places(place -> !rows.containsKey(place)
                && !tried.pool().contains(place)
                && tried.inGrid(place)
                && tried.passed(place));
        NavigableSet<Integer> present = new TreeSet<>(good);
        present.addAll(places(place -> tried.pool().contains(place) && tried.inGrid(place)));
        NavigableSet<Integer> stray =
                places(place -> rows.containsKey(place) && !tried.inGrid(place) && tried.passed(place));
        int lastGood = good.isEmpty() ? -1 : good.last();
        reported(tried, "gap ", new TreeSet<>(missing.headSet(lastGood)), present, expected);
        reported(tried, "at end ", new TreeSet<>(missing.tailSet(lastGood)), new TreeSet<>(), expected);
        reported(tried, "stray ", stray, good, expected);
        NavigableSet<Integer> undealt = places(place ->
                rows.containsKey(place) && (!tried.passed(place) || tried.pool().contains(place)));
        reported(tried, "undealt ", undealt, new TreeSet<>(), expected);
        return expected;
    }

    private interface Those {
        boolean are(int place);
    }

    private static NavigableSet<Integer> places(Those those) {
        NavigableSet<Integer> places = new TreeSet<>();
        for (int place = 0; place < WINDOW; place++) {
            if (those.are(place)) {
                places.add(place);
            }
        }
        return places;
    }

    /** The places as ranges, which end where one of the borders stands between. */
    private static void reported(
            Case tried,
            String kind,
            NavigableSet<Integer> places,
            NavigableSet<Integer> borders,
            List<String> expected) {
        while (!places.isEmpty()) {
            int first = places.first();
            Integer border = borders.higher(first);
            NavigableSet<Integer> range = new TreeSet<>(border == null ? places : places.headSet(border));
            expected.add(kind
                    + new NumberRange(
                            tried.number(first), tried.number(range.last()), BigInteger.valueOf(range.size())));
            places.removeAll(range);
        }
    }
}
