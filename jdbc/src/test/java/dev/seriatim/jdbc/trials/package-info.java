// SPDX-License-Identifier: Apache-2.0
/**
 * Trials of every mode on real servers: several processes; processes and servers that are killed, stopped or
 * disconnected. Each runs a few rounds in every build, and many with {@code -Dseriatim.trials=soak}.
 */
@NullMarked
package dev.seriatim.jdbc.trials;

import org.jspecify.annotations.NullMarked;
