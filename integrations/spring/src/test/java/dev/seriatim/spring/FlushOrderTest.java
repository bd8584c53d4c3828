// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.feed.Entry;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Hibernate inserts first and updates afterwards: a transaction's event is in its table before the transaction waits for
 * the row of its aggregate. In the feed, it comes after the one that it has waited for.
 */
@Timeout(60)
class FlushOrderTest {

    private final Database database = Engine.POSTGRESQL.freshDatabase();

    @Entity(name = "account")
    static class Account {
        @Id
        long id;

        long balance;
    }

    @Entity(name = "event")
    static class Event {
        @Id
        long id;

        Event() {}

        Event(long id) {
            this.id = id;
        }
    }

    @Test
    void an_event_follows_that_of_the_transaction_for_which_its_own_has_waited() throws Exception {
        assertThat(keys(false)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    /** A trigger that is not deferred numbers the events as they are inserted. */
    @Test
    void the_order_of_the_inserts_is_another() throws Exception {
        assertThat(keys(true)).containsExactly(2L, 1L, 4L, 3L, 6L, 5L);
    }

    private List<Object> keys(boolean immediate) throws Exception {
        database.execute(
                "CREATE TABLE account (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL)",
                "INSERT INTO account VALUES (1, 0)",
                "CREATE TABLE event (id BIGINT PRIMARY KEY)");
        try (Jpa jpa = new Jpa(database.dataSource(), Account.class, Event.class);
                JdbcFeeds feeds = JdbcFeeds.open(database.dataSource())) {
            Feed events = feeds.table("event");
            TransactionTemplate transactions = new TransactionTemplate(jpa.manager);
            for (long id = 1; id < 6; id += 2) {
                long first = id;
                List<Throwable> failures = new ArrayList<>();
                Thread second = new Thread(() -> transactions.executeWithoutResult(status -> {
                    begin(jpa, immediate);
                    jpa.entities.find(Account.class, 1L).balance += 10;
                    jpa.entities.persist(new Event(first + 1)); // the flush inserts it, then waits
                }));
                second.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
                transactions.executeWithoutResult(status -> {
                    begin(jpa, immediate);
                    jpa.entities.find(Account.class, 1L).balance += 1;
                    jpa.entities.flush();
                    second.start();
                    awaitLock();
                    jpa.entities.persist(new Event(first));
                });
                second.join();
                assertThat(failures).isEmpty();
            }
            events.settle();
            return events.read(0, 10).stream().map(Entry::key).toList();
        }
    }

    private static void begin(Jpa jpa, boolean immediate) {
        if (immediate) {
            jpa.entities.createNativeQuery("SET CONSTRAINTS ALL IMMEDIATE").executeUpdate();
        }
    }

    private void awaitLock() {
        try {
            while (database.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND datname = current_database()")
                    == 0) {
                Thread.sleep(5);
            }
        } catch (SQLException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
