// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

/**
 * The scenario of a run, and the use of its numbers. Immutable.
 *
 * @param scenario the scenario; empty if there is none
 * @param experiment the experiment; empty if the scenario has only one
 * @param rows rows inserted per transaction, each with a number as primary key; 0 for none
 * @param instancePerThread whether each thread has its own instance of the library, as if it were alone in its process
 */
record Setting(String scenario, String experiment, int rows, Form form, boolean instancePerThread, int processes) {

    /** The setting of a run outside any scenario. */
    static final Setting PLAIN = of("", "");

    enum Form {
        ROW_BY_ROW,
        BATCH,
        /** One statement that generates all rows. */
        STATEMENT
    }

    static Setting of(String scenario, String experiment) {
        return new Setting(scenario, experiment, 0, Form.ROW_BY_ROW, false, 1);
    }

    Setting inserting(int count, Form how) {
        return new Setting(scenario, experiment, count, how, instancePerThread, processes);
    }

    Setting withInstancePerThread() {
        return new Setting(scenario, experiment, rows, form, true, processes);
    }

    Setting inProcesses(int count) {
        return new Setting(scenario, experiment, rows, form, instancePerThread, count);
    }

    boolean insertsRows() {
        return rows > 0;
    }

    int rowsAtATime() {
        return form == Form.ROW_BY_ROW ? 1 : rows;
    }

    boolean inOneStatement() {
        return form == Form.STATEMENT;
    }
}
