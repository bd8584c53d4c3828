// SPDX-License-Identifier: Apache-2.0
/** Tests of the performance tool, and of the checkers it relies on: each is shown a fault and must see it. */
@NullMarked
package dev.seriatim.bench;

import org.jspecify.annotations.NullMarked;
