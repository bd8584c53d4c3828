// SPDX-License-Identifier: Apache-2.0
/** POOLED: numbers that are laid out ahead. */
@NullMarked
package dev.seriatim.engine.pool;

import org.jspecify.annotations.NullMarked;
