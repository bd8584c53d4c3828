// SPDX-License-Identifier: Apache-2.0
/** Tests of the formulas. */
@NullMarked
package dev.seriatim.bench.model;

import org.jspecify.annotations.NullMarked;
