// SPDX-License-Identifier: Apache-2.0
/** SQLite. */
@NullMarked
package dev.seriatim.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
