// SPDX-License-Identifier: Apache-2.0
/** How a command of the laboratory ends early: it reports what it has, and cleans up. */
@NullMarked
package dev.seriatim.lab.stop;

import org.jspecify.annotations.NullMarked;
