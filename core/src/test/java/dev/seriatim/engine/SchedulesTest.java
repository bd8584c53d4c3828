// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static dev.seriatim.conservation.TestProperties.Property.SCHEDULES;
import static dev.seriatim.conservation.TestProperties.Property.SCHEDULE_FIRST;
import static dev.seriatim.conservation.TestProperties.Property.SCHEDULE_SEED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.seriatim.conservation.TestProperties;
import dev.seriatim.memory.PlayedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The slow paths of every mode, played by a scheduler that a seed drives: which actor continues at each hand-over, what
 * fails, hangs, is late or is lost, and when time passes.
 *
 * <p>Ten thousand schedules in every build. To play more, run
 * {@code ./mvnw -pl core test -Dtest=SchedulesTest -Dseriatim.schedules=1000000}, which uses one thread per processor.
 * A failure prints its seed and a trace; {@code -Dseriatim.schedule.seed=…} plays that schedule again, hand-over by
 * hand-over.
 */
@TestInstance(Lifecycle.PER_CLASS)
class SchedulesTest {

    private static final int ONE_THREAD = 20_000;
    private static final int MOST_FAULTY = 3;

    private final TestProperties asked = TestProperties.ofThisJvm();
    private final long first = asked.number(SCHEDULE_FIRST, System.nanoTime());
    private final int schedules = asked.count(SCHEDULES, 10_000);

    @Test
    void no_schedule_breaks_a_promise() throws Exception {
        if (asked.has(SCHEDULE_SEED)) {
            long seed = asked.number(SCHEDULE_SEED, first);
            Played played = traced(seed);
            played.trace().forEach(System.out::println);
            assertThat(played.faults()).as("seed %s", seed).isEmpty();
            return;
        }
        long began = System.nanoTime();
        int workers = schedules <= ONE_THREAD ? 1 : Runtime.getRuntime().availableProcessors();
        AtomicLong next = new AtomicLong();
        AtomicLong steps = new AtomicLong();
        Queue<Long> faulty = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> working = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            working.add(CompletableFuture.runAsync(
                    () -> playAll(next, steps, faulty), work -> new Thread(work, "schedules").start()));
        }
        for (CompletableFuture<Void> each : working) {
            each.get();
        }
        if (!faulty.isEmpty()) {
            fail(faulty.stream().sorted().map(SchedulesTest::story).collect(Collectors.joining("\n\n")));
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
                "schedules: %,d from seed %d on, %,d hand-overs, %.1f s%n", schedules, first, steps.get(), seconds);
    }

    private void playAll(AtomicLong next, AtomicLong steps, Queue<Long> faulty) {
        ActorThreads threads = new ActorThreads();
        long at = next.getAndIncrement();
        while (at < schedules && faulty.size() < MOST_FAULTY) {
            Played played = Played.of(first + at, threads, false, PlayedStore.Flaw.NONE);
            steps.addAndGet(played.steps());
            if (!played.faults().isEmpty()) {
                faulty.add(first + at);
            }
            if (played.over()) {
                threads = new ActorThreads(); // some of the others are stuck
            }
            at = next.getAndIncrement();
        }
        threads.close();
    }

    private static Played traced(long seed) {
        ActorThreads threads = new ActorThreads();
        Played played = Played.of(seed, threads, true, PlayedStore.Flaw.NONE);
        threads.close();
        return played;
    }

    private static String story(long seed) {
        Played played = traced(seed);
        return "seed " + seed + ": " + played.faults() + "\n-Dseriatim.schedule.seed=" + seed
                + " plays it again. What happened:\n" + String.join("\n", played.trace());
    }

    @Test
    void a_seed_plays_the_same_schedule_again() {
        LongStream.range(first, first + 100).forEach(seed -> {
            Played once = traced(seed);
            Played again = traced(seed);
            assertThat(again).as("seed %s", seed).isEqualTo(once);
            assertThat(once.trace()).isNotEmpty();
        });
    }

    @Test
    void a_schedule_is_the_same_whether_it_is_traced_or_not_and_on_whichever_threads() {
        ActorThreads threads = new ActorThreads();
        LongStream.range(first, first + 100).forEach(seed -> {
            Played untraced = Played.of(seed, threads, false, PlayedStore.Flaw.NONE);
            assertThat(untraced.print())
                    .as("seed %s", seed)
                    .isEqualTo(traced(seed).print());
        });
        threads.close();
    }

    @Test
    void different_seeds_play_different_schedules() {
        long prints = LongStream.range(first, first + 100)
                .map(seed -> traced(seed).print())
                .distinct()
                .count();
        assertThat(prints).isGreaterThan(90);
    }

    @Test
    void a_store_that_deals_a_value_twice_is_seen() {
        assertThat(seen(PlayedStore.Flaw.DEALS_TWICE, "is dealt twice")).isTrue();
        assertThat(seen(PlayedStore.Flaw.DEALS_TWICE, "is committed twice")).isTrue();
    }

    @Test
    void a_store_that_skips_a_number_is_seen() {
        assertThat(seen(PlayedStore.Flaw.SKIPS, "is missing among what is committed"))
                .isTrue();
    }

    @Test
    void a_call_that_never_comes_back_is_seen_as_a_deadlock() {
        assertThat(seen(PlayedStore.Flaw.NEVER_ANSWERS, "deadlock")).isTrue();
    }

    private boolean seen(PlayedStore.Flaw flaw, String what) {
        ActorThreads threads = new ActorThreads();
        boolean seen = false;
        for (long seed = first; seed < first + 1000 && !seen; seed++) {
            Played played = Played.of(seed, threads, false, flaw);
            seen = played.faults().stream().anyMatch(fault -> fault.contains(what));
            if (played.over()) {
                threads = new ActorThreads();
            }
        }
        threads.close();
        return seen;
    }

    @Test
    void a_wait_with_a_lock_in_hand_is_seen() {
        Schedule schedule = new Schedule(1, new ActorThreads(), false);
        schedule.start("careless", () -> {
            var lock = schedule.lock();
            lock.lock();
            try {
                schedule.sleep(1, "sleeps");
            } finally {
                lock.unlock();
            }
        });
        schedule.play();
        assertThat(schedule.faults()).singleElement().asString().contains("waits while holding a lock");
    }

    @Test
    void a_call_with_a_lock_in_hand_is_seen_and_another_lock_is_none() {
        Schedule schedule = new Schedule(1, new ActorThreads(), false);
        schedule.start("careless", () -> {
            var outer = schedule.lock();
            var inner = schedule.lock();
            outer.lock();
            try {
                inner.lock();
                try {
                    assertThat(inner.isHeldByCurrentThread()).isTrue();
                } finally {
                    inner.unlock();
                }
                schedule.offer("calls the store");
            } finally {
                outer.unlock();
            }
            schedule.offer("calls a listener");
        });
        schedule.play();
        assertThat(schedule.faults())
                .singleElement()
                .asString()
                .contains("calls while holding a lock: calls the store");
    }

    @Test
    void an_actor_that_comes_to_no_rest_is_seen() {
        Schedule schedule = new Schedule(1, new ActorThreads(), false);
        schedule.start("restless", () -> {
            while (true) {
                schedule.sleep(1, "sleeps");
            }
        });
        schedule.play();
        assertThat(schedule.faults()).singleElement().asString().contains("the schedule does not end");
    }
}
