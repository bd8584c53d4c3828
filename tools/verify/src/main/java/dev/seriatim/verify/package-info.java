// SPDX-License-Identifier: Apache-2.0
/** The command that proves on the user's own database that the modes keep their promises. */
@NullMarked
package dev.seriatim.verify;

import org.jspecify.annotations.NullMarked;
