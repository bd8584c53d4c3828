// SPDX-License-Identifier: Apache-2.0
/** The store in memory. */
@NullMarked
package dev.seriatim.memory;

import org.jspecify.annotations.NullMarked;
