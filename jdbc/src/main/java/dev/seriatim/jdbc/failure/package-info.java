// SPDX-License-Identifier: Apache-2.0
/** Translates exceptions of drivers and pools, once, into one line. */
@NullMarked
package dev.seriatim.jdbc.failure;

import org.jspecify.annotations.NullMarked;
