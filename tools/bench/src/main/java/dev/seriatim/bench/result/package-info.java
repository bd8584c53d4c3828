// SPDX-License-Identifier: Apache-2.0
/**
 * What a benchmark measured, as plain data: written to files, read back, compared and shown. Knows nothing of how it was
 * measured.
 */
@NullMarked
package dev.seriatim.bench.result;

import org.jspecify.annotations.NullMarked;
