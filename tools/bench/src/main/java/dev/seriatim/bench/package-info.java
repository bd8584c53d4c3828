// SPDX-License-Identifier: Apache-2.0
/**
 * The benchmark: workloads draw numbers as an application does, record without disturbing each other, and check that the modes
 * keep their promises. Start at {@link dev.seriatim.bench.BenchCommand}.
 */
@NullMarked
package dev.seriatim.bench;

import org.jspecify.annotations.NullMarked;
