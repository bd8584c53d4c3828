// SPDX-License-Identifier: Apache-2.0
/**
 * What an engine implements, and the parts that engines share.
 *
 * <ul>
 *   <li>{@link dev.seriatim.jdbc.dialect.EngineFamily}: how an engine is detected
 *   <li>{@link dev.seriatim.jdbc.dialect.Dialect}: what every engine must provide
 *   <li>the capabilities: optional interfaces that a dialect may also implement; the Javadoc of each begins with 'A
 *       dialect'. {@code FunctionSupport} and {@code NativeSequenceSupport} are in packages of their own.
 * </ul>
 */
@NullMarked
package dev.seriatim.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
