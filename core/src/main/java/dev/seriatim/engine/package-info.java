// SPDX-License-Identifier: Apache-2.0
/**
 * Runs sequences over a store. {@link dev.seriatim.engine.StoreSequences} opens them; each kind of store has a
 * subclass for users. Of the subpackages, only {@code sizing} is exported, for simulations.
 */
@NullMarked
package dev.seriatim.engine;

import org.jspecify.annotations.NullMarked;
