// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.control;

import dev.seriatim.jdbc.sql.BenchmarkedStore;
import dev.seriatim.lab.verify.worker.LaneDraws;
import dev.seriatim.lab.verify.worker.LaneLog;
import java.sql.ResultSet;
import java.sql.Statement;

/**
 * Draws from the database's own sequence in transactions that commit. On PostgreSQL some go on for a while after the draw, as one does
 * that stores rows: until it commits, what it has written of the sequence is in the server's memory only, and others that commit
 * meanwhile have drawn by it. MariaDB writes that at once, and others draw by it while it does; there, many draws show it.
 *
 * @param database where it is
 * @param next the expression that draws
 * @param lasting the share of transactions that go on for a while
 */
record NativeInTransactions(BenchmarkedStore database, String next, double lasting) implements LaneDraws {

    private static final double LASTING_ON_POSTGRESQL = 0.5;
    private static final long LASTS_MILLIS = 10;

    static NativeInTransactions of(BenchmarkedStore database, String sequence) {
        String next = database.benchmarkSql()
                .sequences()
                .orElseThrow(() -> new IllegalStateException(database + " has no sequences"))
                .nextOf(sequence);
        boolean postgres = database.dialect().product().startsWith("PostgreSQL");
        return new NativeInTransactions(database, next, postgres ? LASTING_ON_POSTGRESQL : 0);
    }

    @Override
    public void turn(LaneLog log) throws Exception {
        boolean lasts = log.chance() < lasting;
        log.begin();
        long value = database.<Long, Exception>inTransaction(transaction -> {
            long drawn;
            try (Statement statement = transaction.createStatement();
                    ResultSet row = statement.executeQuery("SELECT " + next)) {
                row.next();
                drawn = row.getLong(1);
            }
            if (lasts) {
                Thread.sleep(LASTS_MILLIS);
            }
            return drawn;
        });
        log.drew(value, 1);
    }

    @Override
    public void close() {
        // holds nothing
    }
}
