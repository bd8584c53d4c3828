// SPDX-License-Identifier: Apache-2.0
/** Tests of the simulation, against closed forms. */
@NullMarked
package dev.seriatim.bench.simulation;

import org.jspecify.annotations.NullMarked;
