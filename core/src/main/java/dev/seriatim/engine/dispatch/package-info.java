// SPDX-License-Identifier: Apache-2.0
/** How a sequence calls its store: the executor, hung calls, retries, closing, time and the listener. */
@NullMarked
package dev.seriatim.engine.dispatch;

import org.jspecify.annotations.NullMarked;
