// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

/** Deals one value after another. */
@FunctionalInterface
interface Draws extends AutoCloseable {

    long next();

    @Override
    default void close() {}
}
