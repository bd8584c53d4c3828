// SPDX-License-Identifier: Apache-2.0
/** Reading of arguments and printing, shared by all commands. */
@NullMarked
package dev.seriatim.cli.terminal;

import org.jspecify.annotations.NullMarked;
