// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Runs single statements. */
public final class Sql {

    private Sql() {}

    /** Closes a connection that is used no more; never throws. */
    public static void close(Connection connection) {
        try {
            connection.close();
        } catch (Throwable e) {
            // Whether or not it closes, the work's outcome does not change.
        }
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs a statement; returns whether it failed with such an exception. */
    public static boolean isRefused(Connection connection, String sql, Predicate<SQLException> refusal)
            throws SQLException {
        try {
            execute(connection, sql);
            return false;
        } catch (SQLException e) {
            if (refusal.test(e)) {
                return true;
            }
            throw e;
        }
    }

    /** Returns the first column of a query's first row; empty if there is no row or the value is null. */
    public static Optional<String> read(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
            }
        }
    }

    /** Returns the first column of a query's rows. */
    public static List<String> all(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (row.next()) {
                values.add(row.getString(1));
            }
            return values;
        }
    }

    /** Returns the numbers of a query whose parameters are a name and then numbers. */
    public static List<Long> numbers(Connection connection, String sql, String name, long... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, name, parameters);
            try (ResultSet row = statement.executeQuery()) {
                List<Long> numbers = new ArrayList<>();
                while (row.next()) {
                    numbers.add(row.getLong(1));
                }
                return numbers;
            }
        }
    }

    /** Runs a change whose parameters are a name and then numbers. */
    public static void update(Connection connection, String sql, String name, long... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, name, parameters);
            statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, String name, long... parameters) throws SQLException {
        statement.setString(1, name);
        for (int i = 0; i < parameters.length; i++) {
            statement.setLong(i + 2, parameters[i]);
        }
    }
}
