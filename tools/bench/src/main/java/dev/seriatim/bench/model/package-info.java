// SPDX-License-Identifier: Apache-2.0
/** The model of each mode: its maximum throughput, which reports and the advice use, and its look in plots. */
@NullMarked
package dev.seriatim.bench.model;

import org.jspecify.annotations.NullMarked;
