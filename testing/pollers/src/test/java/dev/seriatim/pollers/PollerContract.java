// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.servers.Engine;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program that polls loses rows of a table under writers that overlap, and none of the table's feed. {@code
 * -Dseriatim.pollers.rows=100000} sets the number of rows.
 */
abstract class PollerContract {
    private static final int ROWS = Integer.getInteger("seriatim.pollers.rows", 3_000);
    /** A program that reads only once writers have ended loses nothing, so the table gets more rows. */
    private static final int MOST_ROUNDS = 10;

    private static final Duration STAMPING = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path folder = Path.of("");

    /** Starts the program, which goes on until it is closed. */
    abstract Poller start(Source source, Polled polled) throws Exception;

    /** A program at work. */
    interface Poller extends AutoCloseable {
        /** Throws, with the reason, if the program has ended. */
        void check() throws Exception;

        @Override
        void close();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void loses_rows_of_a_table(Engine engine) throws Exception {
        Orders orders = new Orders(engine.freshDatabase());
        orders.create();
        Polled.Outcome outcome = poll(orders, Source.table(orders.database()), () -> {}, MOST_ROUNDS);
        report(engine, "table", outcome);
        assertThat(outcome.lost()).isPositive();
        assertThat(outcome.unknown()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void loses_no_row_of_a_feed(Engine engine) throws Exception {
        Orders orders = new Orders(engine.freshDatabase());
        orders.create();
        try (JdbcFeeds feeds = JdbcFeeds.open(orders.database().dataSource(), s -> s.stamping(STAMPING))) {
            Polled.Outcome outcome = poll(orders, Source.feed(orders.database()), feeds.table("orders")::settle, 1);
            report(engine, "feed", outcome);
            assertThat(outcome).isEqualTo(new Polled.Outcome(outcome.committed(), outcome.committed(), 0, 0, 0, 0));
        }
    }

    private Polled.Outcome poll(Orders orders, Source source, Runnable settle, int rounds) throws Exception {
        Polled polled = new Polled(source);
        try (Poller poller = start(source, polled)) {
            orders.database().execute("INSERT INTO orders(item) VALUES ('first')");
            await(poller, polled, 1);
            for (int round = 1; ; round++) {
                orders.write(ROWS);
                settle.run();
                long last = orders.database().number("SELECT max(" + source.column() + ") FROM " + source.table());
                await(poller, polled, last);
                Polled.Outcome outcome = polled.outcome(orders.keys());
                if (outcome.lost() > 0 || round == rounds) {
                    return outcome;
                }
            }
        }
    }

    private static void await(Poller poller, Polled polled, long number) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!polled.reached(number)) {
            poller.check();
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain for row " + number + ": " + poller);
            }
            Thread.sleep(10);
        }
    }

    private void report(Engine engine, String source, Polled.Outcome outcome) {
        System.out.printf("trial: %s, %s, %s: %s%n", getClass().getSimpleName(), engine.title(), source, outcome);
    }
}
