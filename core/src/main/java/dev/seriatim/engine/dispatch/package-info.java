// SPDX-License-Identifier: Apache-2.0
/** How work is handed to an executor: time, back-off, failures, and the listener. */
@NullMarked
package dev.seriatim.engine.dispatch;

import org.jspecify.annotations.NullMarked;
