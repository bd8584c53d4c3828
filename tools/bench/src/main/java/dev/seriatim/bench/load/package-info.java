// SPDX-License-Identifier: Apache-2.0
/** Workloads and the records of their clients, and the database that they work on. */
@NullMarked
package dev.seriatim.bench.load;

import org.jspecify.annotations.NullMarked;
