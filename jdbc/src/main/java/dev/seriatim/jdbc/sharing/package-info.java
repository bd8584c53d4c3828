// SPDX-License-Identifier: Apache-2.0
/** Transactions that several callers share, and connections that do not end them. */
@NullMarked
package dev.seriatim.jdbc.sharing;

import org.jspecify.annotations.NullMarked;
