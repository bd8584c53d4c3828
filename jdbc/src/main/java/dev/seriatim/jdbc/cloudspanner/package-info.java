// SPDX-License-Identifier: Apache-2.0
/** Spanner over Google's JDBC driver. */
@NullMarked
package dev.seriatim.jdbc.cloudspanner;

import org.jspecify.annotations.NullMarked;
