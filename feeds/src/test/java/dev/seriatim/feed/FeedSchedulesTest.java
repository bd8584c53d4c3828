// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static dev.seriatim.conservation.TestProperties.Property.SCHEDULES;
import static dev.seriatim.conservation.TestProperties.Property.SCHEDULE_FIRST;
import static dev.seriatim.conservation.TestProperties.Property.SCHEDULE_SEED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.seriatim.conservation.TestProperties;
import dev.seriatim.feed.FeedModel.Fault;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writing, stamping and reading in a model of PostgreSQL, in schedules that a seed drives.
 *
 * <p>Three thousand schedules in every build. To play more, run
 * {@code ./mvnw -pl feeds -am test -Dtest=FeedSchedulesTest -Dseriatim.schedules=1000000}, which uses one thread per processor. A
 * failure prints its seed and a trace; {@code -Dseriatim.schedule.seed=…} plays that schedule again.
 */
@TestInstance(Lifecycle.PER_CLASS)
class FeedSchedulesTest {

    private static final int USUAL = 3_000;
    private static final int MOST_FAULTY = 3;

    private final TestProperties asked = TestProperties.ofThisJvm();
    private final long first = asked.number(SCHEDULE_FIRST, System.nanoTime());
    private final int schedules = asked.count(SCHEDULES, USUAL);

    @Test
    void no_schedule_breaks_a_promise() {
        if (asked.has(SCHEDULE_SEED)) {
            FeedModel model = new FeedModel(asked.number(SCHEDULE_SEED, first), Fault.NONE, true);
            List<String> faults = model.play();
            model.trace().forEach(System.out::println);
            assertThat(faults).isEmpty();
            return;
        }
        long began = System.nanoTime();
        AtomicLong steps = new AtomicLong();
        LongStream seeds = LongStream.range(first, first + schedules);
        String faulty = (schedules > USUAL ? seeds.parallel() : seeds)
                .filter(seed -> {
                    FeedModel model = new FeedModel(seed, Fault.NONE, false);
                    boolean isFaulty = !model.play().isEmpty();
                    steps.addAndGet(model.steps());
                    return isFaulty;
                })
                .limit(MOST_FAULTY)
                .mapToObj(FeedSchedulesTest::story)
                .collect(Collectors.joining("\n\n"));
        if (!faulty.isEmpty()) {
            fail(faulty);
        }
        System.out.printf(
                "feeds: %,d schedules from seed %d on, %,d steps, %.1f s%n",
                schedules, first, steps.get(), (System.nanoTime() - began) / 1e9);
    }

    private static String story(long seed) {
        FeedModel model = new FeedModel(seed, Fault.NONE, true);
        return "seed " + seed + ": " + model.play() + "\n-Dseriatim.schedule.seed=" + seed
                + " plays it again. What happened:\n" + String.join("\n", model.trace());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void a_planted_fault_is_seen(Fault fault) {
        assertThat(LongStream.range(first, first + 10 * USUAL) // some are seen once in a thousand
                        .filter(seed -> new FeedModel(seed, fault, false)
                                .play().stream().anyMatch(broken -> broken.startsWith(fault.breaks)))
                        .findFirst())
                .isPresent();
    }

    @Test
    void a_seed_plays_the_same_schedule_again() {
        LongStream.range(first, first + 100).forEach(seed -> {
            assertThat(story(seed)).isEqualTo(story(seed));
        });
    }
}
