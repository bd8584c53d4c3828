// SPDX-License-Identifier: Apache-2.0
/**
 * Runs sequences over a store. The public entry point is {@link dev.seriatim.engine.StoreSequences}; of the
 * subpackages, only {@code sizing} is exported, for simulations.
 */
@NullMarked
package dev.seriatim.engine;

import org.jspecify.annotations.NullMarked;
