// SPDX-License-Identifier: Apache-2.0
/** Numbers that are laid out ahead as rows, for the mode POOLED. */
@NullMarked
package dev.seriatim.jdbc.pool;

import org.jspecify.annotations.NullMarked;
