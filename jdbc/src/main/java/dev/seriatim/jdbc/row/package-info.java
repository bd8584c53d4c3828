// SPDX-License-Identifier: Apache-2.0
/** The rows of the table, and drawing from them. */
@NullMarked
package dev.seriatim.jdbc.row;

import org.jspecify.annotations.NullMarked;
