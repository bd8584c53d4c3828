// SPDX-License-Identifier: Apache-2.0
/** One sequence over many counters. */
@NullMarked
package dev.seriatim.striped;

import org.jspecify.annotations.NullMarked;
