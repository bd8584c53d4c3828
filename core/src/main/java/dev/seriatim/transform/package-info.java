// SPDX-License-Identifier: Apache-2.0
/** What happens to a number afterwards: reversal, permutation, patterns, check digits. Views of a sequence, which know no store. */
@NullMarked
package dev.seriatim.transform;

import org.jspecify.annotations.NullMarked;
