// SPDX-License-Identifier: Apache-2.0
/** What the documents say, held to the code. */
@NullMarked
package dev.seriatim.pages;

import org.jspecify.annotations.NullMarked;
