// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pollers;

import dev.seriatim.servers.Database;

/**
 * What a program polls.
 *
 * @param database the database
 * @param table the name of a table or view, which has a column {@code id}
 * @param view whether it is a view
 * @param column the growing column
 */
record Source(Database database, String table, boolean view, String column) {
    static Source table(Database database) {
        return new Source(database, "orders", false, "id");
    }

    static Source feed(Database database) {
        return new Source(database, "orders_feed", true, "position");
    }

    /** Returns the query that a user writes, up to the value from which it goes on. */
    String query(String last) {
        return "SELECT * FROM " + table + " WHERE " + column + " > " + last + " ORDER BY " + column;
    }

    boolean isPostgresql() {
        return database.url().startsWith("jdbc:postgresql:");
    }
}
