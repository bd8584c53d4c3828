// SPDX-License-Identifier: Apache-2.0
/** What commands on a store share: the option for its URL, opening it, the names of sequences and columns. */
@NullMarked
package dev.seriatim.cli.store;

import org.jspecify.annotations.NullMarked;
