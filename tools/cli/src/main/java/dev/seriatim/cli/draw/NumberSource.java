// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

/** Deals one value after another. */
@FunctionalInterface
interface NumberSource extends AutoCloseable {

    long next();

    @Override
    default void close() {}
}
