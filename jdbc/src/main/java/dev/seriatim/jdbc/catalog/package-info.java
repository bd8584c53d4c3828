// SPDX-License-Identifier: Apache-2.0
/** Creates the tables, and creates, alters and drops sequences in them. */
@NullMarked
package dev.seriatim.jdbc.catalog;

import org.jspecify.annotations.NullMarked;
