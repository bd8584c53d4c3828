// SPDX-License-Identifier: Apache-2.0
/**
 * Numbers out of the database you already run: unique, ordered or gapless, by the fastest mechanism that keeps the
 * guarantee asked for. Start at {@link dev.seriatim.engine.StoreSequences}.
 */
@NullMarked
package dev.seriatim;

import org.jspecify.annotations.NullMarked;
