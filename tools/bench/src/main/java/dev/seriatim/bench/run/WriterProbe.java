// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Key;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Detects databases in which only one transaction at a time can insert rows, such as SQLite. */
final class WriterProbe {

    /** Much longer than an insert takes, unless its transaction waits for another one. */
    private static final long ENOUGH_MILLIS = 500;

    private WriterProbe() {}

    /** Returns whether a transaction cannot insert a row while another one that has inserted a row is open. */
    static boolean findsOneWriter(Site site) {
        ExecutorService beside = Executors.newSingleThreadExecutor();
        try (ScratchTable table = ScratchTable.in(site, Key.NUMBER)) {
            CompletableFuture<Integer> second = new CompletableFuture<>();
            boolean waited = site.tables().<Boolean, RuntimeException>inTransaction(connection -> {
                insert(connection, table, 1);
                beside.execute(() -> {
                    try {
                        second.complete(site.tables()
                                .<Integer, RuntimeException>inTransaction(other -> insert(other, table, 2)));
                    } catch (RuntimeException e) {
                        second.completeExceptionally(e);
                    }
                });
                return waits(second);
            });
            second.exceptionally(e -> 0).join(); // before the table is dropped
            return waited;
        } finally {
            beside.shutdown();
        }
    }

    private static boolean waits(CompletableFuture<Integer> second) {
        try {
            second.get(ENOUGH_MILLIS, TimeUnit.MILLISECONDS);
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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
