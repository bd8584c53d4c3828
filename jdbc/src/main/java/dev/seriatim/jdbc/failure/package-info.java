// SPDX-License-Identifier: Apache-2.0
/** What exceptions of drivers and pools mean, said once, in one line. */
@NullMarked
package dev.seriatim.jdbc.failure;

import org.jspecify.annotations.NullMarked;
