// SPDX-License-Identifier: Apache-2.0
/** What to choose for a load, and what to expect of it. Start at {@link dev.seriatim.lab.advise.AdviseCommand}. */
@NullMarked
package dev.seriatim.lab.advise;

import org.jspecify.annotations.NullMarked;
