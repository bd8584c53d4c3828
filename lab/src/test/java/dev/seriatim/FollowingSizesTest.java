// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.lab.simulation.FollowingSizes;
import dev.seriatim.sizing.AdaptiveSizing;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** In the library's package, since what the simulation follows is not public there. */
class FollowingSizesTest {

    private final AdaptiveSizing sizing = new AdaptiveSizing((Allocation.Adaptive) Allocation.adaptive());
    private final FollowingSizes sizes = new FollowingSizes();

    @Test
    void the_simulation_sizes_blocks_as_the_library_does_step_by_step() {
        assertThat(sizes.maxFlights()).isEqualTo(sizing.maxReservations());
        SplittableRandom random = new SplittableRandom(7);
        long now = 0;
        long dealt = 0;
        for (int i = 0; i < 10_000; i++) {
            now += random.nextLong(1, 200_000_000);
            dealt += random.nextLong(i % 1000 + 1);
            sizing.sent(now, dealt);
            sizes.sent(now, dealt);
            long took = random.nextLong(1, 50_000_000);
            now += took;
            dealt += random.nextLong(100);
            long taken = random.nextLong(1, 1000);
            boolean ranDry = random.nextInt(10) == 0;
            sizing.arrived(now, dealt, taken, took, ranDry);
            sizes.arrived(now, dealt, taken, took, ranDry);
            assertThat(sizes.size()).isEqualTo(sizing.size());
            assertThat(sizes.lowWaterMark()).isEqualTo(sizing.lowWaterMark());
        }
    }
}
