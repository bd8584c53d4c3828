// SPDX-License-Identifier: Apache-2.0
/** The command {@code next}: draws numbers in any mode, and prints them in any form. */
@NullMarked
package dev.seriatim.cli.draw;

import org.jspecify.annotations.NullMarked;
