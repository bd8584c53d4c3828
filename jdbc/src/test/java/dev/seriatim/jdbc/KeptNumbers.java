// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A table in which an application keeps the numbers it has drawn, each at most once. */
record KeptNumbers(String table) {

    String create() {
        return "CREATE TABLE " + table + " (number BIGINT PRIMARY KEY)";
    }

    void keep(Connection transaction, long number) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO " + table + " (number) VALUES (?)")) {
            insert.setLong(1, number);
            insert.executeUpdate();
        }
    }

    List<Long> all(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT number FROM " + table);
                ResultSet row = query.executeQuery()) {
            List<Long> numbers = new ArrayList<>();
            while (row.next()) {
                numbers.add(row.getLong(1));
            }
            return numbers;
        }
    }
}
