// SPDX-License-Identifier: Apache-2.0
/**
 * What an engine implements, and what engines share. An {@link dev.seriatim.jdbc.dialect.EngineFamily} detects an
 * engine, and its {@link dev.seriatim.jdbc.dialect.Dialect} says what it does in its own way.
 */
@NullMarked
package dev.seriatim.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
