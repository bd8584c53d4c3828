// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

/** The exit codes of the process. */
public final class ExitCode {

    public static final int DONE = 0;
    /** The store, or its contents, does not allow it. */
    public static final int FAILED = 1;

    public static final int WRONG_USAGE = 2;
    /** A check found a fault: in numbers, or in what generates them. */
    public static final int WRONG_NUMBERS = 3;

    private ExitCode() {}
}
