// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.DrawRing.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {

    @TempDir
    private Path folder;

    private ReadLane lane;
    private ReadLane other;

    @BeforeEach
    void open() {
        Watch watch = new Watch(new ArenaSequence("BATCH", DrawMode.BATCH, "s", ""), 0);
        lane = new ReadLane(watch, DrawRing.create(folder.resolve("1"), 8), "1");
        other = new ReadLane(watch, DrawRing.create(folder.resolve("2"), 8), "2");
    }

    private static void report(ReadLane lane, Kind kind) {
        lane.take(kind, 1, 2, kind == Kind.DREW || kind == Kind.UNSURE ? 1 : 0, 1);
    }

    @Test
    void it_is_over_when_each_has_drawn_once_more() {
        report(lane, Kind.DREW);
        Recovery recovery = new Recovery(List.of(lane, other));
        report(other, Kind.UNSURE);
        assertThat(recovery.isOver()).isFalse();
        report(lane, Kind.FAILED);
        report(lane, Kind.DREW);
        assertThat(recovery.isOver()).isTrue();
        assertThat(recovery.hung()).isEmpty();
    }

    @Test
    void one_whose_draws_do_not_return_hangs() {
        report(lane, Kind.UNAVAILABLE); // before the last fault was over
        Recovery recovery = new Recovery(List.of(lane, other));
        report(other, Kind.DREW);
        assertThat(recovery.isOver()).isFalse();
        assertThat(recovery.hung()).containsExactly(lane);
        assertThat(recovery.withoutStore()).isEmpty();
    }

    @Test
    void one_whose_draws_say_that_the_store_is_unavailable_does_not_hang() {
        Recovery recovery = new Recovery(List.of(lane, other));
        report(lane, Kind.UNAVAILABLE);
        report(other, Kind.DREW);
        assertThat(recovery.isOver()).isFalse();
        assertThat(recovery.hung()).isEmpty();
        assertThat(recovery.withoutStore()).containsExactly(lane);
    }

    @Test
    void one_whose_draws_fail_for_other_reasons_hangs() {
        Recovery recovery = new Recovery(List.of(lane));
        report(lane, Kind.UNAVAILABLE);
        report(lane, Kind.FAILED);
        assertThat(recovery.isOver()).isFalse();
        assertThat(recovery.hung()).containsExactly(lane);
        assertThat(recovery.withoutStore()).isEmpty();
    }
}
