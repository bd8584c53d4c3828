// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import dev.seriatim.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A table and its writers. A transaction inserts 1 to 20 rows, waits up to 200 ms and commits; one of twenty is rolled back.
 *
 * @param database the database
 */
record Orders(Database database) {
    private static final int WRITERS = 16;
    private static final int MOST_ROWS = 20;
    private static final int LONGEST_WAIT_MILLIS = 200;
    private static final int ONE_IS_ROLLED_BACK_OF = 20;

    void create() throws SQLException {
        boolean postgresql = database.url().startsWith("jdbc:postgresql:");
        String key = postgresql ? "bigint GENERATED ALWAYS AS IDENTITY" : "bigint AUTO_INCREMENT";
        database.execute("CREATE TABLE orders (id " + key + " PRIMARY KEY, item varchar(40) NOT NULL)");
    }

    /** Inserts rows until at least so many are committed. */
    void write(int rows) throws InterruptedException, ExecutionException {
        AtomicInteger committed = new AtomicInteger();
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                Random random = new Random(writer);
                all.add(writers.submit(() -> {
                    write(rows, committed, random);
                    return null;
                }));
            }
            for (Future<?> writer : all) {
                writer.get();
            }
        } finally {
            writers.shutdownNow();
        }
    }

    private void write(int rows, AtomicInteger committed, Random random) throws SQLException, InterruptedException {
        try (Connection connection = database.connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO orders(item) VALUES (?)")) {
            connection.setAutoCommit(false);
            while (committed.get() < rows) {
                int more = 1 + random.nextInt(MOST_ROWS);
                for (int row = 0; row < more; row++) {
                    insert.setString(1, "item " + row);
                    insert.executeUpdate();
                }
                Thread.sleep(random.nextInt(LONGEST_WAIT_MILLIS + 1));
                if (random.nextInt(ONE_IS_ROLLED_BACK_OF) == 0) {
                    connection.rollback();
                } else {
                    connection.commit();
                    committed.addAndGet(more);
                }
            }
        }
    }

    /** Returns the keys of the rows that are committed. */
    Set<Long> keys() throws SQLException {
        Set<Long> keys = new HashSet<>();
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT id FROM orders")) {
            while (rows.next()) {
                keys.add(rows.getLong(1));
            }
        }
        return keys;
    }
}
