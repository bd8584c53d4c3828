// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

/**
 * What a run is part of, and what is done around each draw. Immutable.
 *
 * @param scenario the scenario; empty for a run that is part of none
 * @param experiment which experiment of it; empty where there is only one
 * @param use what becomes of the numbers
 * @param instances who shares the mode's sequence, and so what it keeps in hand
 * @param processes how many processes do the same at once
 */
public record Setting(String scenario, String experiment, Use use, Instances instances, int processes) {

    /** What a run has that is part of no scenario. */
    public static final Setting PLAIN = new Setting("", "", Use.none(), Instances.SHARED, 1);

    /** Who shares a sequence. */
    public enum Instances {
        /** All threads of the process. */
        SHARED,
        /** Nobody: each thread has an instance of its own, as if it were alone in its process. */
        ONE_PER_THREAD
    }

    /** How the rows of a transaction are inserted. */
    enum Form {
        /** Each by a statement of its own. */
        ROW_BY_ROW,
        /** By a batch of JDBC's, so that nobody waits between them. */
        BATCH,
        /** By one statement that makes all the rows. */
        STATEMENT
    }

    /**
     * What becomes of the numbers.
     *
     * @param rows how many rows are inserted per transaction, each with a number as its primary key; 0 for none
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
