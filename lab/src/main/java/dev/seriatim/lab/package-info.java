// SPDX-License-Identifier: Apache-2.0
/**
 * The laboratory: it measures the modes, says what they could reach, simulates them, and shows what came of it. The command line
 * finds it through {@link dev.seriatim.lab.LaboratoryCommands}.
 */
@NullMarked
package dev.seriatim.lab;

import org.jspecify.annotations.NullMarked;
