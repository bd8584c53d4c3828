// SPDX-License-Identifier: Apache-2.0
/** The command {@code feed}, with a command of its own for each action. */
@NullMarked
package dev.seriatim.cli.feeds;

import org.jspecify.annotations.NullMarked;
