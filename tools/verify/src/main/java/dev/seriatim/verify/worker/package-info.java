// SPDX-License-Identifier: Apache-2.0
/** The processes that draw, and how they report what they drew so that it survives them. Independent of what is checked. */
@NullMarked
package dev.seriatim.verify.worker;

import org.jspecify.annotations.NullMarked;
