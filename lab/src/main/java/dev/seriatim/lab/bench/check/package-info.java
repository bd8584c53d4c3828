// SPDX-License-Identifier: Apache-2.0
/** Whether the numbers of a run keep what was promised. */
@NullMarked
package dev.seriatim.lab.bench.check;

import org.jspecify.annotations.NullMarked;
