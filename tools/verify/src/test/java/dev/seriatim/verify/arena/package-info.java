// SPDX-License-Identifier: Apache-2.0
/** Tests of what stands in the package of the same name. */
@NullMarked
package dev.seriatim.verify.arena;

import org.jspecify.annotations.NullMarked;
