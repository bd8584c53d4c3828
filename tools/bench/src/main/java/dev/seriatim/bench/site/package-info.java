// SPDX-License-Identifier: Apache-2.0
/** What a benchmark runs on: the store under test, the database behind it, and what single steps cost there. */
@NullMarked
package dev.seriatim.bench.site;

import org.jspecify.annotations.NullMarked;
