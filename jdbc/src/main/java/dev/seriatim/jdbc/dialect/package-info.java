// SPDX-License-Identifier: Apache-2.0
/** What an engine implements: a {@link dev.seriatim.jdbc.dialect.Dialect}, its parts, and what engines share. */
@NullMarked
package dev.seriatim.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
