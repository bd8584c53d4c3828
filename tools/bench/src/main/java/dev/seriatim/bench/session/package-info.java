// SPDX-License-Identifier: Apache-2.0
/** Checks that the numbers of a run keep the promises of their mode. */
@NullMarked
package dev.seriatim.bench.session;

import org.jspecify.annotations.NullMarked;
