// SPDX-License-Identifier: Apache-2.0
/** What a benchmark prints for people while it runs. */
@NullMarked
package dev.seriatim.lab.bench.terminal;

import org.jspecify.annotations.NullMarked;
