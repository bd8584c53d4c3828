// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No statement of PostgreSQL depends on statistics: a nested loop over the whole inbox once took 25 s. */
class FeedPlansTest {

    private static final int ROWS = 60_000;

    /** A busy machine takes some times as long as a quiet one, 30 ms; the nested loop takes minutes. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    @ParameterizedTest
    @ValueSource(strings = {"never analysed", "analysed while empty", "analysed while full", "many dead rows"})
    void passes_and_batches_are_short_whatever_the_statistics(String statistics) throws Exception {
        Database server = Engine.POSTGRESQL.freshDatabase();
        server.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, note TEXT)");
        try (JdbcFeeds feeds = JdbcFeeds.open(server.dataSource());
                Connection old = server.connect();
                Statement statement = old.createStatement()) {
            Feed orders = feeds.table("orders");
            server.execute("ALTER TABLE orders_inbox SET (autovacuum_enabled = off)");
            server.execute("ALTER TABLE orders_positions SET (autovacuum_enabled = off)");
            String analyze = "ANALYZE orders, orders_inbox, orders_positions";
            if (statistics.endsWith("empty")) {
                server.execute(analyze);
            }
            if (statistics.endsWith("dead rows")) {
                old.setAutoCommit(false);
                old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                statement.executeQuery("SELECT 1 FROM orders");
            }
            Feed withNotes = orders.select("note");
            for (int i = 0; i < 20; i++) { // plans that are kept are made while the tables are empty
                orders.stamp();
                withNotes.read(0, 500);
            }
            server.execute("INSERT INTO orders SELECT n, 'x' FROM generate_series(1, " + ROWS + ") n");
            if (statistics.endsWith("full")) {
                server.execute(analyze);
            }
            long longest = 0;
            for (int rows = 0; rows < ROWS; ) {
                long began = System.nanoTime();
                rows += orders.stamp();
                longest = Math.max(longest, System.nanoTime() - began);
            }
            for (long last = 0; last < ROWS; ) {
                long began = System.nanoTime();
                last = withNotes.read(last, 500).get(499).position();
                longest = Math.max(longest, System.nanoTime() - began);
            }
            assertThat(Duration.ofNanos(longest)).isLessThan(LONGEST);
            TimeUnit.MILLISECONDS.sleep(1_500); // for the statistics of other sessions
            orders.stamp();
            withNotes.read(ROWS, 1);
            TimeUnit.MILLISECONDS.sleep(100);
            assertThat(server.number("SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname LIKE 'orders%'"))
                    .as("rows read by scans of whole tables")
                    .isZero();
            System.out.println(statistics + ": longest " + longest / 1_000_000 + " ms");
            assertThat(server.number("SELECT count(*) FROM orders_positions")).isEqualTo(ROWS);
        }
    }
}
