// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.Set;

/** The names of the baselines. */
final class BaselineNames {

    private static final Set<String> NAMES =
            Set.of("EMULATED", "AUTO_INCREMENT", "NATIVE", "UUID", "UUID_V4", "UUID_V7", "ATOMIC_LONG");

    private BaselineNames() {}

    static boolean is(Figures run) {
        return has(run.mode());
    }

    static boolean has(String name) {
        return NAMES.contains(name);
    }
}
