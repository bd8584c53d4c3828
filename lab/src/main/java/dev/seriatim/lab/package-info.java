// SPDX-License-Identifier: Apache-2.0
/**
 * The laboratory: measures and simulates the modes, computes their limits, and reports the results. The command line
 * finds it through {@link dev.seriatim.lab.LaboratoryCommands}.
 */
@NullMarked
package dev.seriatim.lab;

import org.jspecify.annotations.NullMarked;
