// SPDX-License-Identifier: Apache-2.0
/** Spanner through its JDBC driver. */
@NullMarked
package dev.seriatim.jdbc.spanner;

import org.jspecify.annotations.NullMarked;
