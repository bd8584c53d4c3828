// SPDX-License-Identifier: Apache-2.0
/** Shared by all parts of the engine: futures of draws, argument checks, and how views report lost numbers. */
@NullMarked
package dev.seriatim.draw;

import org.jspecify.annotations.NullMarked;
