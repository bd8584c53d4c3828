// SPDX-License-Identifier: Apache-2.0
/** A fault for the test of the architecture. */
@NullMarked
package dev.seriatim.pages.circle;

import org.jspecify.annotations.NullMarked;
