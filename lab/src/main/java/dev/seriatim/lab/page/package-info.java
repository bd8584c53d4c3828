// SPDX-License-Identifier: Apache-2.0
/** Pages of HTML, and their look. */
@NullMarked
package dev.seriatim.lab.page;

import org.jspecify.annotations.NullMarked;
