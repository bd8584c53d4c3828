// SPDX-License-Identifier: Apache-2.0
/** POOLED: numbers are laid out ahead as rows. */
@NullMarked
package dev.seriatim.engine.pool;

import org.jspecify.annotations.NullMarked;
