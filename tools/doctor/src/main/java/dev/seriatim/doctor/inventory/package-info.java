// SPDX-License-Identifier: Apache-2.0
/** Reads what generates numbers in a database, without changing anything. */
@NullMarked
package dev.seriatim.doctor.inventory;

import org.jspecify.annotations.NullMarked;
