// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

/** The number and the times of one iteration, in nanoseconds of the system's timer. Used by one thread, again and again. */
final class Draw {

    /** When the iteration began. */
    long started;

    /** When the draw began. */
    long began;

    /** When the draw returned. */
    long returned;

    /** When the iteration ended. */
    long finished;

    /** The number, when one was drawn. */
    long value;

    /** Whether a number was drawn, even if the iteration failed afterwards. */
    boolean drawn;
}
