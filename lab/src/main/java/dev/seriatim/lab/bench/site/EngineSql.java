// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.site;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the benchmark asks of one engine in its own words: what its commits are worth, and the ways to have numbers that the
 * library is measured against. What an engine does not have, or nobody has written down, is empty. Immutable.
 */
public interface EngineSql {

    /** That of a product, as its driver names it. */
    static EngineSql of(String product) {
        return switch (product) {
            case "PostgreSQL" -> new PostgresSql();
            case "MariaDB" -> new MySqlSql(true);
            case "MySQL" -> new MySqlSql(false);
            case "H2" -> new H2Sql();
            case "SQLite" -> new SqliteSql();
            default -> new EngineSql() {};
        };
    }

    /** The settings that decide what a commit is worth, by name. */
    default Map<String, String> settings(Connection connection) throws SQLException {
        return Map.of();
    }

    /** How many connections the server has left for others; empty when it does not count them. */
    default OptionalInt connectionsLeft(Connection connection) throws SQLException {
        return OptionalInt.empty();
    }

    /** The type of a column whose numbers the engine makes, without its being the primary key. */
    default Optional<String> identity() {
        return Optional.empty();
    }

    /** What it does with UUIDs. */
    default Optional<UuidSql> uuids() {
        return Optional.empty();
    }

    /** Its own sequences. */
    default Optional<NativeSql> sequences() {
        return Optional.empty();
    }

    /** A sequence that is emulated by a row, as published. */
    default Optional<EmulatedSql> emulated() {
        return Optional.empty();
    }

    /** What follows {@code FROM} for rows whose column {@code n} is 1, 2, 3, …, and how a text is made of it. */
    default Optional<SeriesSql> series() {
        return Optional.empty();
    }

    /**
     * UUIDs in an engine.
     *
     * @param type the type of a column
     * @param bytes whether they are handed over as 16 bytes
     * @param asText an expression that makes one and shows it as text; empty when the engine makes none
     * @param asKey the same as a value for the column
     */
    record UuidSql(String type, boolean bytes, String asText, String asKey) {

        public boolean made() {
            return !asText.isEmpty();
        }
    }

    /**
     * Sequences of an engine; {@code %s} is the name.
     *
     * @param create also has {@code %d}, the cache
     * @param next an expression
     * @param drop a statement
     */
    record NativeSql(String create, String next, String drop) {

        public String createOf(String name, long cache) {
            return create.formatted(name, cache);
        }

        public String nextOf(String name) {
            return next.formatted(name);
        }

        public String dropOf(String name) {
            return drop.formatted(name);
        }
    }

    /**
     * A sequence that is a row of a table, drawn by an update inside the caller's transaction; {@code %s} is the table.
     *
     * @param create makes the table
     * @param draw the update; returns the number when there is no {@code read}
     * @param read reads what the update has left; may be empty
     */
    record EmulatedSql(String create, String draw, String read) {

        /** The row's name. */
        public static final String ROW = "bench";
    }

    /**
     * A series of numbers as a table.
     *
     * @param from {@code %d} is how many
     * @param text an expression for a row's text
     */
    record SeriesSql(String from, String text) {}
}
