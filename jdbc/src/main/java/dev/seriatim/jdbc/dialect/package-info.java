// SPDX-License-Identifier: Apache-2.0
/**
 * What an engine implements, and the parts that engines share.
 *
 * <ul>
 *   <li>{@link dev.seriatim.jdbc.dialect.EngineFamily}: how it is detected
 *   <li>{@link dev.seriatim.jdbc.dialect.Dialect}: what every engine must say
 *   <li>the capabilities, interfaces that a dialect also implements where it has them; the Javadoc of each begins with 'A
 *       dialect'. {@code FunctionSupport} and {@code NativeSequenceSupport} are in packages of their own.
 * </ul>
 */
@NullMarked
package dev.seriatim.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
