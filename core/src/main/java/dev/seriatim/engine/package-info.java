// SPDX-License-Identifier: Apache-2.0
/**
 * Runs sequences over a store. The public entry point is {@link dev.seriatim.engine.StoreSequences}; the subpackages
 * are not exported.
 */
@NullMarked
package dev.seriatim.engine;

import org.jspecify.annotations.NullMarked;
