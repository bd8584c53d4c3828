// SPDX-License-Identifier: Apache-2.0
/** What a draw costs in this process, beside other libraries and beside the bare atomic step. */
@NullMarked
package dev.seriatim.benchmarks;

import org.jspecify.annotations.NullMarked;
