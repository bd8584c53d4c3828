// SPDX-License-Identifier: Apache-2.0
/** The command that checks on the user's own database that the modes keep their promises. */
@NullMarked
package dev.seriatim.verify;

import org.jspecify.annotations.NullMarked;
