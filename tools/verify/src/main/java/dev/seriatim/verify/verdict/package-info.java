// SPDX-License-Identifier: Apache-2.0
/** What a verification found. */
@NullMarked
package dev.seriatim.verify.verdict;

import org.jspecify.annotations.NullMarked;
