// SPDX-License-Identifier: Apache-2.0
/** Stores as several commands of the laboratory see them: their URLs, and which modes they offer. */
@NullMarked
package dev.seriatim.lab.store;

import org.jspecify.annotations.NullMarked;
