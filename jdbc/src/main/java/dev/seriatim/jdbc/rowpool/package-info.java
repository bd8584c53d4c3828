// SPDX-License-Identifier: Apache-2.0
/** Numbers laid out ahead as rows, for POOLED mode. */
@NullMarked
package dev.seriatim.jdbc.rowpool;

import org.jspecify.annotations.NullMarked;
