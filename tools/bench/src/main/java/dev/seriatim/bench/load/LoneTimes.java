// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.bench.simulation.StoreTimes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The durations of single steps on an otherwise idle site. Immutable.
 *
 * @param store calls of the store
 * @param setUp creating and dropping what a run needs, in seconds
 * @param row a transaction that inserts a row, in seconds; 0 if no rows are inserted
 */
public record LoneTimes(StoreTimes store, double setUp, double row) {

    private static final int ROWS = 20;
    private static final int SET_UPS = 3;
    private static final long WARM_UP_NANOS = 200_000_000;
    private static final double SECOND = 1e9;

    /**
     * Measures the durations.
     *
     * @param store the measured durations of its calls
     * @param rows whether runs insert rows
     */
    public static LoneTimes of(Site site, StoreTimes store, boolean rows) {
        double sequence = shortest(() -> ScratchSequence.in(site.store()).close());
        double table = rows ? shortest(() -> ScratchTable.in(site, Key.NUMBER).close()) : 0;
        return new LoneTimes(store, sequence + table, rows ? row(site) : 0);
    }

    /** The first runs are slower than later ones. */
    private static double shortest(Runnable step) {
        return IntStream.range(0, SET_UPS).mapToDouble(i -> seconds(step)).min().orElseThrow();
    }

    private static double seconds(Runnable step) {
        long began = System.nanoTime();
        step.run();
        return (System.nanoTime() - began) / SECOND;
    }

    /** Returns the first quartile, which short disturbances do not affect. */
    private static double row(Site site) {
        try (ScratchTable table = ScratchTable.in(site, Key.NUMBER)) {
            AtomicLong number = new AtomicLong();
            Runnable insert = () -> site.tables()
                    .<Integer, RuntimeException>inTransaction(
                            connection -> insert(connection, table, number.incrementAndGet()));
            long enough = System.nanoTime() + WARM_UP_NANOS;
            do {
                insert.run();
            } while (System.nanoTime() - enough < 0);
            double[] took = IntStream.range(0, ROWS)
                    .mapToDouble(i -> seconds(insert))
                    .sorted()
                    .toArray();
            return took[ROWS / 4];
        }
    }

    private static int insert(Connection connection, ScratchTable table, long number) {
        try (PreparedStatement statement = connection.prepareStatement(table.insert())) {
            statement.setLong(1, number);
            statement.setString(2, ScratchTable.TEXT);
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw table.insertFailed(e);
        }
    }
}
