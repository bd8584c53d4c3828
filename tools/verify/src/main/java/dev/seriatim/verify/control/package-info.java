// SPDX-License-Identifier: Apache-2.0
/** Generators that break their promise, to show that the checks of a verification find it. */
@NullMarked
package dev.seriatim.verify.control;

import org.jspecify.annotations.NullMarked;
