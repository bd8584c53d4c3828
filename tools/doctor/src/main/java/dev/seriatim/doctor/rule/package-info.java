// SPDX-License-Identifier: Apache-2.0
/** The rules that find faults in what generates numbers, whatever the engine. */
@NullMarked
package dev.seriatim.doctor.rule;

import org.jspecify.annotations.NullMarked;
