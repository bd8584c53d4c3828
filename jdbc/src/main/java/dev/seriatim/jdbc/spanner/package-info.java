// SPDX-License-Identifier: Apache-2.0
/** Spanner over Google's JDBC driver. */
@NullMarked
package dev.seriatim.jdbc.spanner;

import org.jspecify.annotations.NullMarked;
