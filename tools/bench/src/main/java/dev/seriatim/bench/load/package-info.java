// SPDX-License-Identifier: Apache-2.0
/** Workloads, and what their clients record. Independent of any store. */
@NullMarked
package dev.seriatim.bench.load;

import org.jspecify.annotations.NullMarked;
