// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.engine.LoneTiming;
import org.junit.jupiter.api.Test;

/** What is under way, and what of it is abandoned. */
class TasksTest {

    private static final long PATIENCE = 1000;

    private static final class Work extends Task {}

    private final LoneTiming timing = new LoneTiming();
    private final Tasks<Work> tasks = new Tasks<>(timing, PATIENCE, 1);

    private Work added() {
        Work work = new Work();
        tasks.add(work);
        return work;
    }

    private Work begun() {
        Work work = added();
        assertThat(tasks.begin(work)).isTrue();
        return work;
    }

    @Test
    void a_task_starts_until_it_begins_and_is_under_way_until_it_ends() {
        Work work = added();
        assertThat(tasks.starting()).isEqualTo(1);
        assertThat(tasks.begin(work)).isTrue();
        assertThat(tasks.starting()).isZero();
        assertThat(tasks.size()).isEqualTo(1);
        assertThat(tasks.end(work)).isTrue();
        assertThat(tasks.isEmpty()).isTrue();
        assertThat(tasks.starting()).isZero();
    }

    @Test
    void a_task_that_ends_before_it_has_begun_starts_no_more() {
        Work work = added();
        assertThat(tasks.end(work)).isTrue();
        assertThat(tasks.isEmpty()).isTrue();
        assertThat(tasks.starting()).isZero();
    }

    @Test
    void a_task_ends_once() {
        Work work = added();
        tasks.end(work);
        assertThat(tasks.end(work)).isFalse();
        assertThat(tasks.starting()).isZero();
    }

    @Test
    void a_task_hangs_when_its_step_takes_longer_than_it_may() {
        Work work = begun();
        timing.pass(PATIENCE);
        assertThat(tasks.overdue()).isNull();
        timing.pass(1);
        assertThat(tasks.overdue()).isSameAs(work);
        work.nextStep(timing.now());
        assertThat(tasks.overdue()).isNull();
    }

    @Test
    void three_that_have_begun_are_abandoned_and_another_when_one_of_them_ends() {
        Work first = begun();
        Work second = begun();
        Work third = begun();
        Work fourth = begun();
        timing.pass(PATIENCE + 1);
        for (Work hung : new Work[] {first, second, third}) {
            assertThat(tasks.overdue()).isSameAs(hung);
            tasks.abandon(hung);
            assertThat(hung.abandoned()).isTrue();
        }
        assertThat(tasks.overdue()).isNull();
        assertThat(tasks.anyAbandoned(task -> task == second)).isTrue();
        assertThat(tasks.end(second)).as("under way").isFalse();
        assertThat(tasks.anyAbandoned(task -> task == second)).isFalse();
        assertThat(tasks.overdue()).isSameAs(fourth);
    }

    @Test
    void a_task_that_is_abandoned_before_it_has_begun_does_not_count_and_never_begins() {
        for (int i = 0; i < 10; i++) {
            Work dropped = added();
            timing.pass(PATIENCE + 1);
            assertThat(tasks.overdue()).isSameAs(dropped);
            tasks.abandon(dropped);
            assertThat(tasks.begin(dropped)).isFalse();
            assertThat(tasks.starting()).isZero();
        }
        assertThat(tasks.any(task -> true)).isFalse();
    }
}
