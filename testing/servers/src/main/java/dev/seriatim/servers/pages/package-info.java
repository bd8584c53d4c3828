// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the programs and commands in the pages of the documentation, for tests. They are between lines of three
 * backticks, the first of which names the kind of text.
 */
@NullMarked
package dev.seriatim.servers.pages;

import org.jspecify.annotations.NullMarked;
