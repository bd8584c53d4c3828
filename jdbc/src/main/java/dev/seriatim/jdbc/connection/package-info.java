// SPDX-License-Identifier: Apache-2.0
/** Connections, borrowed or kept, and transactions of our own on them. */
@NullMarked
package dev.seriatim.jdbc.connection;

import org.jspecify.annotations.NullMarked;
