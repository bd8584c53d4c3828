// SPDX-License-Identifier: Apache-2.0
/** Tests that hold what is said elsewhere of the library's insides to them. */
@NullMarked
package dev.seriatim;

import org.jspecify.annotations.NullMarked;
