// SPDX-License-Identifier: Apache-2.0
/** What counts as a fault in what generates numbers, whatever the engine. */
@NullMarked
package dev.seriatim.doctor.rule;

import org.jspecify.annotations.NullMarked;
