// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.verify.worker.LaneDraws;
import dev.seriatim.verify.worker.LaneLog;
import dev.seriatim.verify.worker.WorkerProgram;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** The program of a process that draws, and can set H2's write delay, which the store sets to 0 on each connection that it opens. */
final class WriteDelayProgram {

    static final String GENERATOR = "WRITE_DELAY";

    private static final int PAUSE_MILLIS = 10;

    private WriteDelayProgram() {}

    public static void main(String[] arguments) {
        WorkerProgram.run(name -> name.equals(GENERATOR)
                ? Optional.of((store, order, listener) -> new WriteDelay((JdbcStore) store))
                : Optional.empty());
    }

    /** Sets it again and again, and draws nothing. */
    private record WriteDelay(JdbcStore store) implements LaneDraws {

        @Override
        public void turn(LaneLog log) throws SQLException, InterruptedException {
            TransactionScope.Work<Connection, Boolean, SQLException> work = connection -> {
                try (Statement statement = connection.createStatement()) {
                    return statement.execute("SET WRITE_DELAY 500");
                }
            };
            store.inTransaction(work);
            log.waitAndBegin(PAUSE_MILLIS);
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
