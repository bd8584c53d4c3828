// SPDX-License-Identifier: Apache-2.0
/** Which runs are made: the experiments of published systems, and what was published of them. */
@NullMarked
package dev.seriatim.lab.bench.scenario;

import org.jspecify.annotations.NullMarked;
