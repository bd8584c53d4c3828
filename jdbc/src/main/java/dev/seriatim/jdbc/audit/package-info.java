// SPDX-License-Identifier: Apache-2.0
/** Reads columns of the user's own tables. */
@NullMarked
package dev.seriatim.jdbc.audit;

import org.jspecify.annotations.NullMarked;
