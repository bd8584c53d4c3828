// SPDX-License-Identifier: Apache-2.0
/** Recommends a mode for a load. Start at {@link dev.seriatim.lab.advise.AdviseCommand}. */
@NullMarked
package dev.seriatim.lab.advise;

import org.jspecify.annotations.NullMarked;
