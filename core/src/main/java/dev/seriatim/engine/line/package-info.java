// SPDX-License-Identifier: Apache-2.0
/** Reservations that waiting callers share: ASYNC, COMBINED and CONFIRMED, and the slow path of the block modes. */
@NullMarked
package dev.seriatim.engine.line;

import org.jspecify.annotations.NullMarked;
