// SPDX-License-Identifier: Apache-2.0
/** Spreads one sequence over many counters. */
@NullMarked
package dev.seriatim.striped;

import org.jspecify.annotations.NullMarked;
