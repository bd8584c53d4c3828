// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An SQL user: a connection, in auto-commit mode unless configured otherwise. Not thread-safe. */
record SqlSession(Connection connection) implements AutoCloseable {

    static SqlSession on(Database database) throws SQLException {
        return new SqlSession(database.connect());
    }

    /** Returns a query's number; null for NULL. */
    @Nullable
    Long ask(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            long number = row.getLong(1);
            return row.wasNull() ? null : number;
        }
    }

    /** Returns a query's number. */
    long number(String query) throws SQLException {
        Long answer = ask(query);
        if (answer == null) {
            throw new AssertionError(query + " answered NULL");
        }
        return answer;
    }

    /** Returns a query's texts, one per row. */
    List<String> texts(String query) throws SQLException {
        return texts(query, 1);
    }

    /** Returns the texts in one of a query's columns, one per row. */
    List<String> texts(String query, int column) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                texts.add(String.valueOf(row.getString(column)));
            }
        }
        return texts;
    }

    long nextVal(String name) throws SQLException {
        return number("SELECT next_val(" + SqlSpeaker.text(name) + ")");
    }

    @Nullable
    Long lastVal(String name) throws SQLException {
        return ask("SELECT last_val(" + SqlSpeaker.text(name) + ")");
    }

    long setVal(String name, long value) throws SQLException {
        return number("SELECT set_val(" + SqlSpeaker.text(name) + ", " + value + ")");
    }

    void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
