// SPDX-License-Identifier: Apache-2.0
/** The command that finds faults in what generates numbers in a database. */
@NullMarked
package dev.seriatim.doctor;

import org.jspecify.annotations.NullMarked;
