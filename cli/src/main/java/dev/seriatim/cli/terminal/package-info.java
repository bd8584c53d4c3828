// SPDX-License-Identifier: Apache-2.0
/** What is read from a command line and printed to a terminal, whatever the command. */
@NullMarked
package dev.seriatim.cli.terminal;

import org.jspecify.annotations.NullMarked;
