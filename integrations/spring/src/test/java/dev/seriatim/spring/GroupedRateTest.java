// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/** The gain of grouped transactions over a transaction per unit, for the same code of 32 threads. */
@Tag("long")
@Isolated("compares rates")
class GroupedRateTest {

    private static final int THREADS = 32;
    private static final int ROUNDS = 5;
    private static final long MILLIS = 1_500;

    @Test
    void units_that_share_a_transaction_are_four_times_as_fast() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE invoice (number BIGINT PRIMARY KEY)");
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(THREADS + 4);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcSequences sequences = JdbcSequences.open(pool)) {
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            GaplessNumbers numbers = GaplessNumbers.of(sequences.gapless("invoice_id"), pool);
            TransactionOperations each = new TransactionTemplate(new JdbcTransactionManager(pool));
            TransactionOperations grouped = numbers.grouped();
            double[] sync = new double[ROUNDS];
            double[] shared = new double[ROUNDS];
            for (int round = -1; round < ROUNDS; round++) {
                double ofEach = rate(each, numbers, jdbc);
                double ofGrouped = rate(grouped, numbers, jdbc);
                if (round >= 0) { // the first warms up
                    sync[round] = ofEach;
                    shared[round] = ofGrouped;
                }
            }
            Arrays.sort(sync);
            Arrays.sort(shared);
            double ratio = shared[ROUNDS / 2] / sync[ROUNDS / 2];
            System.out.printf(
                    "Spring, %d threads, medians of %d: %.0f/s each in a transaction, %.0f/s grouped, ratio %.1f%n",
                    THREADS, ROUNDS, sync[ROUNDS / 2], shared[ROUNDS / 2], ratio);
            assertThat(jdbc.queryForObject("SELECT MAX(number) - COUNT(*) FROM invoice", Long.class))
                    .isZero();
            assertThat(ratio).isGreaterThanOrEqualTo(4);
        }
    }

    private static double rate(TransactionOperations transactions, GaplessNumbers numbers, JdbcTemplate jdbc)
            throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong done = new AtomicLong();
        Callable<Void> caller = () -> {
            while (!stop.get()) {
                transactions.executeWithoutResult(
                        status -> jdbc.update("INSERT INTO invoice (number) VALUES (?)", numbers.next()));
                done.incrementAndGet();
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long begun = System.nanoTime();
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(caller));
            }
            Thread.sleep(MILLIS);
            stop.set(true);
            for (Future<Void> one : all) {
                one.get();
            }
            return done.get() * 1e9 / (System.nanoTime() - begun);
        } finally {
            threads.shutdownNow();
        }
    }
}
