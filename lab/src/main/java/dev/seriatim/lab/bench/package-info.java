// SPDX-License-Identifier: Apache-2.0
/**
 * The performance tool: workloads that draw numbers as an application would, measured without being disturbed by the
 * measuring, and checked for what the modes promise. Start at {@link dev.seriatim.lab.bench.BenchCommand}.
 */
@NullMarked
package dev.seriatim.lab.bench;

import org.jspecify.annotations.NullMarked;
