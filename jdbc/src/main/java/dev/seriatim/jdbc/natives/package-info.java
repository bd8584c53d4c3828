// SPDX-License-Identifier: Apache-2.0
/** Draws from the sequences of a database: what an engine with sequences of its own implements. */
@NullMarked
package dev.seriatim.jdbc.natives;

import org.jspecify.annotations.NullMarked;
