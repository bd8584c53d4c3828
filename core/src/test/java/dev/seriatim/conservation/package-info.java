// SPDX-License-Identifier: Apache-2.0
/**
 * Random rounds that account for every number, in every mode and over any store. A
 * {@link dev.seriatim.conservation.Ground} is all that a store must provide.
 * {@link dev.seriatim.conservation.TestProperties} are the properties that any test accepts. Uses only public types, so
 * that other modules can play the rounds too.
 */
@NullMarked
package dev.seriatim.conservation;

import org.jspecify.annotations.NullMarked;
