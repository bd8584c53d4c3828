// SPDX-License-Identifier: Apache-2.0
/** The in-memory store. */
@NullMarked
package dev.seriatim.memory;

import org.jspecify.annotations.NullMarked;
