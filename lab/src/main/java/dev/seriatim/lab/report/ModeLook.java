// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import dev.seriatim.lab.plot.Look;
import dev.seriatim.lab.plot.Mark;
import java.util.Map;

/** How each mode looks, the same in every plot. */
final class ModeLook {

    private static final Map<String, Look> LOOKS = Map.ofEntries(
            Map.entry("ADAPTIVE", new Look(1, Mark.CIRCLE)),
            Map.entry("GROUPED", new Look(2, Mark.SQUARE)),
            Map.entry("COMBINED", new Look(3, Mark.TRIANGLE)),
            Map.entry("BATCH", new Look(4, Mark.DIAMOND)),
            Map.entry("ASYNC_BATCH", new Look(5, Mark.WEDGE)),
            Map.entry("POOLED", new Look(6, Mark.WEDGE)),
            Map.entry("SYNC", new Look(8, Mark.SQUARE)),
            Map.entry("ASYNC", new Look(9, Mark.DIAMOND)),
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
        return LOOKS.getOrDefault(mode, new Look(7, Mark.CIRCLE));
    }
}
