// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.bench.model.ModeProfile;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.report.Look;
import dev.seriatim.report.Mark;
import java.util.Map;

/** The look of each mode and baseline, the same in every plot. */
final class ModeLook {

    private static final Map<String, Look> BASELINES = Map.ofEntries(
            Map.entry("STRIPED", new Look(6, Mark.TRIANGLE)),
            Map.entry("AUTO_INCREMENT", new Look(0, Mark.DIAMOND)),
            Map.entry("EMULATED", new Look(8, Mark.TRIANGLE)),
            Map.entry("NATIVE", new Look(9, Mark.SQUARE)),
            Map.entry("UUID", new Look(7, Mark.CIRCLE)),
            Map.entry("UUID_V4", new Look(7, Mark.CROSS)),
            Map.entry("UUID_V7", new Look(7, Mark.PLUS)),
            Map.entry("ATOMIC_LONG", new Look(0, Mark.PLUS)));

    private ModeLook() {}

    static Look of(String mode) {
        return DrawMode.named(mode)
                .map(known -> ModeProfile.of(known).look())
                .orElse(BASELINES.getOrDefault(mode, new Look(7, Mark.CIRCLE)));
    }
}
