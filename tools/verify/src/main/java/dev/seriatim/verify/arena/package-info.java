// SPDX-License-Identifier: Apache-2.0
/** Tables and sequences of verify's own in the user's database: what is made, read and removed again. */
@NullMarked
package dev.seriatim.verify.arena;

import org.jspecify.annotations.NullMarked;
