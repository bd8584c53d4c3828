// SPDX-License-Identifier: Apache-2.0
/** The output of a benchmark in a terminal. */
@NullMarked
package dev.seriatim.lab.bench.terminal;

import org.jspecify.annotations.NullMarked;
