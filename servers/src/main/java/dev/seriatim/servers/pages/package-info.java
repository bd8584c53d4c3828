// SPDX-License-Identifier: Apache-2.0
/**
 * The pages of the documentation, for tests that run what stands in them: programs and commands between lines of three backticks, the
 * first of which says what kind of text follows.
 */
@NullMarked
package dev.seriatim.servers.pages;

import org.jspecify.annotations.NullMarked;
