// SPDX-License-Identifier: Apache-2.0
/** H2. */
@NullMarked
package dev.seriatim.jdbc.h2;

import org.jspecify.annotations.NullMarked;
