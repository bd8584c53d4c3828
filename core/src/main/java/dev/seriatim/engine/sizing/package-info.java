// SPDX-License-Identifier: Apache-2.0
/** Determines how large a block is, and when the next one is fetched. */
@NullMarked
package dev.seriatim.engine.sizing;

import org.jspecify.annotations.NullMarked;
