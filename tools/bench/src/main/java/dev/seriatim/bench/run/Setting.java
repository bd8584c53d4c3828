// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

/**
 * The scenario of a run, and the use of its numbers. Immutable.
 *
 * @param scenario the scenario; empty if there is none
 * @param experiment the experiment; empty if the scenario has only one
 * @param use the use of the numbers
 * @param instances which threads share an instance of the library
 * @param processes number of concurrent processes
 */
public record Setting(String scenario, String experiment, Use use, Instances instances, int processes) {

    /** The setting of a run outside any scenario. */
    public static final Setting PLAIN = new Setting("", "", Use.none(), Instances.SHARED, 1);

    /** Which threads share an instance of the library. */
    public enum Instances {
        /** All threads of the process. */
        SHARED,
        /** Each thread has its own, as if it were alone in its process. */
        ONE_PER_THREAD
    }

    /** The way in which a transaction inserts its rows. */
    enum Form {
        /** One statement per row. */
        ROW_BY_ROW,
        /** One JDBC batch. */
        BATCH,
        /** One statement that generates all rows. */
        STATEMENT
    }

    /**
     * The use of the numbers.
     *
     * @param rows rows inserted per transaction, each with a number as primary key; 0 for none
     * @param form how they are inserted
     */
    public record Use(int rows, Form form) {

        public static Use none() {
            return new Use(0, Form.ROW_BY_ROW);
        }

        public static Use rows(int perTransaction) {
            return new Use(perTransaction, Form.ROW_BY_ROW);
        }

        public static Use batch(int rows) {
            return new Use(rows, Form.BATCH);
        }

        public static Use statement(int rows) {
            return new Use(rows, Form.STATEMENT);
        }

        public boolean oneByOne() {
            return form == Form.ROW_BY_ROW;
        }

        public boolean inOneStatement() {
            return form == Form.STATEMENT;
        }

        public boolean insertsRows() {
            return rows > 0;
        }
    }

    public static Setting of(String scenario, String experiment) {
        return new Setting(scenario, experiment, Use.none(), Instances.SHARED, 1);
    }

    public Setting with(Use other) {
        return new Setting(scenario, experiment, other, instances, processes);
    }

    public Setting onePerThread() {
        return new Setting(scenario, experiment, use, Instances.ONE_PER_THREAD, processes);
    }

    public Setting inProcesses(int count) {
        return new Setting(scenario, experiment, use, instances, count);
    }
}
