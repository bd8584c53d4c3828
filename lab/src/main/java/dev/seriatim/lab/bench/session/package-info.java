// SPDX-License-Identifier: Apache-2.0
/** One call of the benchmark: runs plans one after another, and converts the results into figures. */
@NullMarked
package dev.seriatim.lab.bench.session;

import org.jspecify.annotations.NullMarked;
