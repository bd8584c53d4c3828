// SPDX-License-Identifier: Apache-2.0
/** Runs the programs and commands in the fenced blocks of the documentation, for tests. */
@NullMarked
package dev.seriatim.servers.pages;

import org.jspecify.annotations.NullMarked;
