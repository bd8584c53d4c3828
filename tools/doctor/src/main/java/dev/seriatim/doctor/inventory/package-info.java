// SPDX-License-Identifier: Apache-2.0
/** What generates numbers in a database, read without changing anything. */
@NullMarked
package dev.seriatim.doctor.inventory;

import org.jspecify.annotations.NullMarked;
