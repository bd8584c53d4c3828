// SPDX-License-Identifier: Apache-2.0
/** Tests of the command that proves what the modes promise. */
@NullMarked
package dev.seriatim.verify;

import org.jspecify.annotations.NullMarked;
