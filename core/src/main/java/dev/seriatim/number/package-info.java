// SPDX-License-Identifier: Apache-2.0
/**
 * Converts numbers after they are drawn: reversal, permutation, patterns, check digits. Views of a sequence that are
 * independent of its store.
 */
@NullMarked
package dev.seriatim.number;

import org.jspecify.annotations.NullMarked;
