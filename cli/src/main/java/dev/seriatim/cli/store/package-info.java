// SPDX-License-Identifier: Apache-2.0
/** What commands that work on a store have in common: its URL, its opening, the name of a sequence. */
@NullMarked
package dev.seriatim.cli.store;

import org.jspecify.annotations.NullMarked;
