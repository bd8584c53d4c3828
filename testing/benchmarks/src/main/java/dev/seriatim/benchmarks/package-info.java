// SPDX-License-Identifier: Apache-2.0
/** The cost of a draw in this process, compared with other libraries and a single atomic increment. */
@NullMarked
package dev.seriatim.benchmarks;

import org.jspecify.annotations.NullMarked;
