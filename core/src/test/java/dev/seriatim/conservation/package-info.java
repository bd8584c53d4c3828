// SPDX-License-Identifier: Apache-2.0
/**
 * Random rounds that account for every number, in every mode and over any store: a {@link dev.seriatim.conservation.Ground} is all
 * that a store brings along. {@link dev.seriatim.conservation.TestProperties} are what may be asked of any test. Sees the public types only, so that other modules can play them too.
 */
@NullMarked
package dev.seriatim.conservation;

import org.jspecify.annotations.NullMarked;
