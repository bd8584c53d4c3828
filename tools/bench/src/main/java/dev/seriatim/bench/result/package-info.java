// SPDX-License-Identifier: Apache-2.0
/** The results of a benchmark as plain data: written to files, read back, compared and shown. */
@NullMarked
package dev.seriatim.bench.result;

import org.jspecify.annotations.NullMarked;
