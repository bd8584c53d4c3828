// SPDX-License-Identifier: Apache-2.0
/** Borrowed or kept connections, and our own transactions on them. */
@NullMarked
package dev.seriatim.jdbc.connection;

import org.jspecify.annotations.NullMarked;
