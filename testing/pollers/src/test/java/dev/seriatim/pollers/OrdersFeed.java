// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import dev.seriatim.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A feed over the table {@code orders}: a view {@code orders_feed}, and a thread that stamps until it is closed. */
final class OrdersFeed implements AutoCloseable {
    private static final long PAUSE_MILLIS = 5;

    private static final List<String> ON_POSTGRESQL = List.of(
            "CREATE TABLE seriatim_feed (name varchar(64) PRIMARY KEY)",
            "CREATE TABLE orders_inbox"
                    + " (arrival bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY, id bigint NOT NULL)",
            "CREATE TABLE orders_positions (position bigint PRIMARY KEY, id bigint NOT NULL)",
            """
            CREATE FUNCTION orders_arrives() RETURNS trigger LANGUAGE plpgsql AS
            $seriatim$ BEGIN INSERT INTO orders_inbox(id) VALUES (NEW.id); RETURN NULL; END $seriatim$""",
            """
            CREATE CONSTRAINT TRIGGER orders_arrives AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION orders_arrives()""",
            "CREATE VIEW orders_feed AS SELECT p.position, t.* FROM orders_positions p JOIN orders t ON t.id = p.id",
            "INSERT INTO orders_inbox(id) SELECT id FROM orders ORDER BY id",
            "INSERT INTO seriatim_feed VALUES ('orders')");

    private static final List<String> PASS_ON_POSTGRESQL = List.of("""
            WITH taken AS (DELETE FROM orders_inbox WHERE ctid = ANY (ARRAY(
                   SELECT ctid FROM orders_inbox WHERE arrival > 0 ORDER BY arrival LIMIT 5000)) RETURNING arrival, id),
                 last AS (SELECT coalesce(max(position), 0) AS position FROM orders_positions)
            INSERT INTO orders_positions(position, id)
              SELECT last.position + row_number() OVER (ORDER BY taken.arrival), taken.id FROM taken, last""");

    private static final List<String> ON_MARIADB = List.of(
            "CREATE TABLE seriatim_feed (name varchar(64) PRIMARY KEY)",
            "CREATE TABLE orders_inbox (arrival bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, id bigint NOT NULL)",
            "CREATE TABLE orders_positions"
                    + " (position bigint NOT NULL PRIMARY KEY, arrival bigint NOT NULL, id bigint NOT NULL)",
            """
            CREATE TRIGGER orders_arrives AFTER INSERT ON orders
            FOR EACH ROW INSERT INTO orders_inbox(id) VALUES (NEW.id)""",
            "CREATE VIEW orders_feed AS SELECT p.position, t.* FROM orders_positions p JOIN orders t ON t.id = p.id",
            "INSERT INTO orders_inbox(id) SELECT id FROM orders ORDER BY id",
            "INSERT INTO seriatim_feed VALUES ('orders')");

    private static final List<String> PASS_ON_MARIADB =
            List.of("SELECT coalesce(max(position), 0) INTO @last FROM orders_positions", """
            INSERT INTO orders_positions(position, arrival, id)
              SELECT @last + row_number() OVER (ORDER BY arrival), arrival, id
              FROM (SELECT arrival, id FROM orders_inbox ORDER BY arrival LIMIT 5000) x""", """
            DELETE i FROM orders_positions p STRAIGHT_JOIN orders_inbox i ON i.arrival = p.arrival
            WHERE p.position > @last""");

    private final Database database;
    private final List<String> pass;
    private final Background stamper;

    private OrdersFeed(Database database, List<String> pass) {
        this.database = database;
        this.pass = pass;
        this.stamper = Background.start("stamper", this::stampUntilInterrupted);
    }

    static OrdersFeed create(Database database) throws SQLException {
        boolean postgresql = database.url().startsWith("jdbc:postgresql:");
        database.execute((postgresql ? ON_POSTGRESQL : ON_MARIADB).toArray(String[]::new));
        return new OrdersFeed(database, postgresql ? PASS_ON_POSTGRESQL : PASS_ON_MARIADB);
    }

    private void stampUntilInterrupted() throws SQLException, InterruptedException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            while (!Thread.currentThread().isInterrupted()) {
                statement.execute("SELECT 1 FROM seriatim_feed WHERE name = 'orders' FOR UPDATE SKIP LOCKED");
                for (String sql : pass) {
                    statement.execute(sql);
                }
                connection.commit();
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    /** Waits until every row that is committed has a position. */
    void settle() throws SQLException, InterruptedException {
        while (database.number("SELECT count(*) FROM orders_inbox") > 0) {
            stamper.check();
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    @Override
    public void close() {
        stamper.close();
    }
}
