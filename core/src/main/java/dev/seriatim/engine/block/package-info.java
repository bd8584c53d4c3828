// SPDX-License-Identifier: Apache-2.0
/** Blocks in memory: BATCH, ASYNC_BATCH and ADAPTIVE. */
@NullMarked
package dev.seriatim.engine.block;

import org.jspecify.annotations.NullMarked;
