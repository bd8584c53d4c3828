// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

/**
 * What a lane reports of one draw. Times are those of {@link System#nanoTime}, which is one clock for all processes of a machine on
 * Linux. Immutable.
 *
 * @param kind how the draw ended
 * @param began before the draw began
 * @param returned after it had returned to the caller
 * @param first the first number; 0 if there is none
 * @param count how many numbers, each 1 above the one before; 0 if there are none
 */
public record DrawReport(Kind kind, long began, long returned, long first, int count) {

    /** How a draw ended. */
    public enum Kind {
        /** The caller has the numbers. */
        DREW(0),
        /** A transaction drew the numbers, and the outcome of its commit is unknown. */
        UNSURE(1),
        /** The draw failed for another reason than {@link #UNAVAILABLE}; there is no number. */
        FAILED(2),
        /**
         * A transaction has drawn the numbers and commits next; a report of the others follows that says how it ended, unless the
         * process is killed before. With count 0: those of the lane until now were not committed.
         */
        COMMITTING(3),
        /** The draw failed because the store was unavailable; there is no number. */
        UNAVAILABLE(4);

        private static final Kind[] ALL = values();

        /** How a ring writes it: the index in {@link #ALL}. */
        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Kind of(int code) {
            return ALL[code];
        }
    }
}
