// SPDX-License-Identifier: Apache-2.0
/** Programs of others poll a table, which loses rows, and its feed, which does not. */
@NullMarked
package dev.seriatim.pollers;

import org.jspecify.annotations.NullMarked;
