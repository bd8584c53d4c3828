// SPDX-License-Identifier: Apache-2.0
/** Writes plots with logarithmic axes as SVG, without scripts, fonts or dependencies. Independent of the benchmark. */
@NullMarked
package dev.seriatim.report;

import org.jspecify.annotations.NullMarked;
