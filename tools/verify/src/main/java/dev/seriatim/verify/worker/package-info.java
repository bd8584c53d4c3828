// SPDX-License-Identifier: Apache-2.0
/** Processes that draw, whose reports survive them. */
@NullMarked
package dev.seriatim.verify.worker;

import org.jspecify.annotations.NullMarked;
