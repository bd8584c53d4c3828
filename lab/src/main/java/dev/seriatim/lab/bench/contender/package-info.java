// SPDX-License-Identifier: Apache-2.0
/** What deals the numbers, and what a client does with them. */
@NullMarked
package dev.seriatim.lab.bench.contender;

import org.jspecify.annotations.NullMarked;
