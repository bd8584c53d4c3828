// SPDX-License-Identifier: Apache-2.0
/**
 * Sequences in Spanner, through its own client: rows of a table ({@link dev.seriatim.spanner.SpannerStore}) or the
 * database's own bit-reversed sequences ({@link dev.seriatim.spanner.SpannerNativeStore}).
 */
@NullMarked
package dev.seriatim.spanner;

import org.jspecify.annotations.NullMarked;
