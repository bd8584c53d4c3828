// SPDX-License-Identifier: Apache-2.0
/** The SQL functions over a table: what an engine with stored functions implements, and the functions' text. */
@NullMarked
package dev.seriatim.jdbc.functions;

import org.jspecify.annotations.NullMarked;
