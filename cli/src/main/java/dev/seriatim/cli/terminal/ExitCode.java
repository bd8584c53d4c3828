// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

/** What the process ends with. */
public final class ExitCode {

    /** Done. */
    public static final int DONE = 0;
    /** The store, or what it holds, does not allow it. */
    public static final int FAILED = 1;
    /** The command line itself is wrong. */
    public static final int WRONG_USAGE = 2;
    /** A check of numbers found a fault in them. */
    public static final int WRONG_NUMBERS = 3;

    private ExitCode() {}
}
