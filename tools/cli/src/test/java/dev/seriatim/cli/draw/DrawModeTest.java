// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DrawModeTest {

    @ParameterizedTest
    @EnumSource
    void a_mode_draws_inside_a_transaction_or_has_an_allocation(DrawMode mode) {
        if (mode.drawsInTransaction()) {
            assertThatThrownBy(() -> mode.allocation(200, 50)).hasMessage(mode + " draws inside a transaction");
        } else {
            assertThat(mode.allocation(200, 50)).isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_mode_is_found_by_its_very_name(DrawMode mode) {
        assertThat(DrawMode.named(mode.name())).contains(mode);
        assertThat(DrawMode.named(mode.name().toLowerCase(java.util.Locale.ROOT)))
                .isEmpty();
    }

    @Test
    void names_stand_in_sentences() {
        assertThat(ModeNames.or(DrawMode::hasBatchSize)).isEqualTo("BATCH or ASYNC_BATCH");
        assertThat(ModeNames.and(DrawMode::dealsFromMemory)).isEqualTo("BATCH, ASYNC_BATCH and ADAPTIVE");
        assertThat(ModeNames.or(DrawMode::hasLowWaterMark)).isEqualTo("ASYNC_BATCH");
        assertThat(ModeNames.or(mode -> false)).isEmpty();
    }

    @Test
    void only_modes_that_deal_from_memory_have_blocks_to_shape() {
        for (DrawMode mode : DrawMode.values()) {
            assertThat(mode.hasLowWaterMark()).as("%s", mode).isEqualTo(mode == DrawMode.ASYNC_BATCH);
            if (mode.hasBatchSize()) {
                assertThat(mode.dealsFromMemory()).isTrue();
            }
        }
        assertThat(DrawMode.ADAPTIVE.dealsFromMemory()).isTrue();
        assertThat(DrawMode.POOLED.dealsFromMemory()).isFalse();
    }

    @Test
    void a_confirmed_mode_reserves_ahead_but_no_draw_goes_without_the_store() {
        assertThat(DrawMode.CONFIRMED.dealsFromBlocks()).isTrue();
        assertThat(DrawMode.CONFIRMED.dealsFromMemory()).isFalse();
        assertThat(DrawMode.CONFIRMED.hasBatchSize()).isFalse();
        assertThat(DrawMode.CONFIRMED.promise()).isEqualTo(Promise.ORDERED);
    }

    @Test
    void each_promise_is_kept_by_all_who_promise_more() {
        for (DrawMode mode : DrawMode.values()) {
            assertThat(Promise.UNIQUE.isKeptBy(
                            mode.promise().ordered(), mode.promise().gapless()))
                    .isTrue();
        }
        assertThat(kept(Promise.ORDERED, DrawMode.SYNC)).isTrue();
        assertThat(kept(Promise.ORDERED, DrawMode.POOLED)).isFalse();
        assertThat(kept(Promise.GAPLESS, DrawMode.POOLED)).isFalse();
        assertThat(kept(Promise.GAPLESS_UNORDERED, DrawMode.GROUPED)).isTrue();
        assertThat(kept(Promise.GAPLESS_UNORDERED, DrawMode.ADAPTIVE)).isFalse();
    }

    private static boolean kept(Promise promise, DrawMode mode) {
        return promise.isKeptBy(mode.promise().ordered(), mode.promise().gapless());
    }
}
