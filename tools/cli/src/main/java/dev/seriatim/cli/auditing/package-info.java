// SPDX-License-Identifier: Apache-2.0
/** The gap audit: compares the numbers in a column with those that their sequence has dealt. */
@NullMarked
package dev.seriatim.cli.auditing;

import org.jspecify.annotations.NullMarked;
