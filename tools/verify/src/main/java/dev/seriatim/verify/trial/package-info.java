// SPDX-License-Identifier: Apache-2.0
/** A verification: processes draw, faults strike, checks read along. */
@NullMarked
package dev.seriatim.verify.trial;

import org.jspecify.annotations.NullMarked;
