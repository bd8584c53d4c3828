// SPDX-License-Identifier: Apache-2.0
/**
 * Unique, ordered or gapless numbers from the database you already run, drawn by the fastest mechanism that provides
 * the guarantee. Start with {@link dev.seriatim.engine.StoreSequences}.
 */
@NullMarked
package dev.seriatim;

import org.jspecify.annotations.NullMarked;
