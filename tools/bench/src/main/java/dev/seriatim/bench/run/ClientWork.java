// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.bench.load.ScratchTable;
import java.sql.Connection;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The transaction around a client's numbers: it inserts a row for each, with the number as primary key, if there is a table, and
 * then does other work, simulated by a pause. Thread-safe.
 *
 * @param batch whether to insert all rows as one batch after the last draw, instead of one by one
 * @param nanos duration of the other work
 */
record ClientWork(@Nullable ScratchTable table, boolean batch, long nanos, Pause pause) {

    /** Uses a number as soon as it is drawn, inside a transaction of the store. */
    void use(Object transaction, long value) {
        if (table != null && !batch) {
            table.insert((Connection) transaction, List.of(value));
        }
    }

    /** Ends a transaction after its last draw. Returns whether it completed; false if the run was stopped. */
    boolean end(Object transaction, DrawLog draw) {
        if (table != null && batch) {
            table.insert(
                    (Connection) transaction,
                    LongStream.of(draw.values()).boxed().toList());
        }
        return rest();
    }

    /** Does the other work; returns as {@link #end}. */
    boolean rest() {
        return nanos == 0 || pause.until(System.nanoTime() + nanos);
    }

    /** Does all of this inside a transaction, for numbers drawn before. */
    boolean useAll(Object transaction, DrawLog draw) {
        LongStream.of(draw.values()).forEach(value -> use(transaction, value));
        return end(transaction, draw);
    }

    /** Does all of this in a separate transaction, for numbers drawn before. */
    boolean after(DrawLog draw) {
        return table == null ? rest() : table.site().inTransaction(connection -> useAll(connection, draw));
    }

    boolean isIdle() {
        return table == null && nanos == 0;
    }
}
