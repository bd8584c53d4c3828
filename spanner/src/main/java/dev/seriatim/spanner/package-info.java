// SPDX-License-Identifier: Apache-2.0
/**
 * Sequences in Spanner, by its own client: rows of a table ({@link dev.seriatim.spanner.SpannerStore}) or the bit-reversed
 * sequences of the database itself ({@link dev.seriatim.spanner.SpannerNativeStore}).
 */
@NullMarked
package dev.seriatim.spanner;

import org.jspecify.annotations.NullMarked;
