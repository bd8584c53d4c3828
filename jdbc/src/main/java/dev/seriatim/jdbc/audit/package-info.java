// SPDX-License-Identifier: Apache-2.0
/** Reads columns of user tables. */
@NullMarked
package dev.seriatim.jdbc.audit;

import org.jspecify.annotations.NullMarked;
