// SPDX-License-Identifier: Apache-2.0
/**
 * Unique, ordered or gapless numbers from the database you already run, drawn by the fastest mechanism that provides
 * the guarantee. Start with {@code dev.seriatim.jdbc.JdbcSequences}, or in a test with
 * {@code dev.seriatim.memory.InMemorySequences}: both are {@link dev.seriatim.Sequences}.
 */
@NullMarked
package dev.seriatim;

import org.jspecify.annotations.NullMarked;
