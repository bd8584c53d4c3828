// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Site;
import dev.seriatim.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A way to give a row the number by which it is polled. */
enum FeedWay {
    /** The database's own number: the control. */
    IDENTITY("drawn at the insert"),
    /** A feed's position. */
    FEED("given after the commit"),
    /** The database's own number, under a named lock up to the commit. */
    LOCK("drawn under a lock"),
    /** A number of the mode SYNC. */
    SYNC("drawn in mode SYNC"),
    /** The transaction's number, read below that of the oldest transaction. */
    XID("of the transaction");

    private static final int NAME_OF_THE_LOCK = 4711;

    final String title;

    FeedWay(String title) {
        this.title = title;
    }

    private static String product(Site site) {
        return ((JdbcStore) site.store()).dialect().product();
    }

    boolean isOffered(Site site) {
        return switch (this) {
            case IDENTITY, FEED, SYNC -> true;
            case LOCK -> !site.hasOneWriter();
            case XID -> product(site).equals("PostgreSQL");
        };
    }

    /** Returns the columns of the table: the place of a row, the row's number among all, and a text. */
    String columns(Site site) {
        String place =
                this == SYNC ? "BIGINT NOT NULL" : site.engine().identity().orElseThrow();
        return (this == FEED ? "no " : "position ") + place + " PRIMARY KEY, id BIGINT NOT NULL, note VARCHAR(40)"
                + (this == XID ? ", tx xid8 NOT NULL DEFAULT pg_current_xact_id()" : "");
    }

    /** Returns a query for {@code id} and what to remember, a number or two, with these as parameters. */
    String query(String polled) {
        return this == XID
                ? "SELECT id, tx::text, position FROM " + polled + " WHERE (tx, position) > (?::text::xid8, ?)"
                        + " AND tx < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY tx, position LIMIT 5000"
                : "SELECT id, position FROM " + polled + " WHERE position > ? ORDER BY position LIMIT 5000";
    }

    /** Takes the lock, if there is one, before the inserts of a transaction. */
    void begin(Site site, Connection connection) throws SQLException {
        if (this == LOCK) {
            ask(
                    connection,
                    product(site).equals("PostgreSQL")
                            ? "SELECT pg_advisory_xact_lock(?)"
                            : "SELECT GET_LOCK(CAST(? AS CHAR), 60)");
        }
    }

    /** Releases a lock that outlives the transaction. */
    void end(Site site, Connection connection) throws SQLException {
        if (this == LOCK && !product(site).equals("PostgreSQL")) {
            ask(connection, "SELECT RELEASE_LOCK(CAST(? AS CHAR))");
        }
    }

    private static void ask(Connection connection, String query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setInt(1, NAME_OF_THE_LOCK);
            statement.executeQuery().close();
        }
    }
}
