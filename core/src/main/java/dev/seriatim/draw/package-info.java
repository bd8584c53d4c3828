// SPDX-License-Identifier: Apache-2.0
/** What draws in every room share: their futures, their counts, and how views report what is lost. */
@NullMarked
package dev.seriatim.draw;

import org.jspecify.annotations.NullMarked;
