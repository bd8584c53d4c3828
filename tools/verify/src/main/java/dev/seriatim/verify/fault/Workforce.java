// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.util.List;

/** The processes that draw. */
public interface Workforce {

    /** Returns the running processes, in an order that depends only on when they were started. */
    List<ProcessHandle> processes();

    /** Records that a process was killed, and starts another in its place. */
    void replace(ProcessHandle killed) throws InterruptedException;
}
