// SPDX-License-Identifier: Apache-2.0
/** The command that finds what is wrong with what generates numbers in a database. */
@NullMarked
package dev.seriatim.doctor;

import org.jspecify.annotations.NullMarked;
