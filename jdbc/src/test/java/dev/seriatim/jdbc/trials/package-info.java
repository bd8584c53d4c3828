// SPDX-License-Identifier: Apache-2.0
/**
 * Trials on real servers: rollbacks beside commits, connections that break, and what many processes cost each other. Each runs a few
 * rounds, or many with {@code -Dseriatim.trials=soak}. Killed processes and servers are {@code seriatim verify}'s.
 */
@NullMarked
package dev.seriatim.jdbc.trials;

import org.jspecify.annotations.NullMarked;
