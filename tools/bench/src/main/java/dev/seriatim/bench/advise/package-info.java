// SPDX-License-Identifier: Apache-2.0
/** Recommends a mode for a load. Start at {@link dev.seriatim.bench.advise.AdviseCommand}. */
@NullMarked
package dev.seriatim.bench.advise;

import org.jspecify.annotations.NullMarked;
