// SPDX-License-Identifier: Apache-2.0
/** Draws from a database's native sequences: what an engine with native sequences implements. */
@NullMarked
package dev.seriatim.jdbc.natives;

import org.jspecify.annotations.NullMarked;
