// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.control;

import dev.seriatim.verify.worker.WorkerProgram;

/** The program of the processes that draw, in the library's modes and with the controls. */
public final class ControlProgram {

    private ControlProgram() {}

    /**
     * Obeys the parent's orders.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        WorkerProgram.run(ControlGenerator::named);
    }
}
