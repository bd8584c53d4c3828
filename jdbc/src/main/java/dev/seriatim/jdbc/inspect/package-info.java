// SPDX-License-Identifier: Apache-2.0
/** What generates numbers in a database, read without changing anything. */
@NullMarked
package dev.seriatim.jdbc.inspect;

import org.jspecify.annotations.NullMarked;
