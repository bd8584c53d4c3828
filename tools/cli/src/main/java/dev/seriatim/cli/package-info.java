// SPDX-License-Identifier: Apache-2.0
/** The command {@code seriatim}: one class per command, begun by {@link dev.seriatim.cli.Main}. */
@NullMarked
package dev.seriatim.cli;

import org.jspecify.annotations.NullMarked;
