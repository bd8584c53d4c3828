// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Turn;
import dev.seriatim.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** A table in which an application stores the numbers it has drawn, each at most once. */
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

    /** Draws the next number and stores it. */
    long keepNext(Turn<Connection> turn) throws SQLException {
        long number = turn.next();
        keep(turn.transaction(), number);
        return number;
    }

    /** Fails unless exactly the numbers from 1 to {@code last} are stored. */
    void assertUpTo(Database database, long last) throws SQLException {
        try (Connection connection = database.connect()) {
            assertThat(all(connection))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, last).boxed().toList());
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
