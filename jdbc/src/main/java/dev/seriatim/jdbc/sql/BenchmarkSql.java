// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The engine's SQL for benchmarks: the settings that affect its commits, and the other ways to generate keys that the
 * library is compared with. Empty for what the engine lacks.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface BenchmarkSql {

    /** For engines without any. */
    BenchmarkSql NONE = new BenchmarkSql() {};

    /** Returns the settings that decide how durable a commit is, by name. */
    default Map<String, String> settings(Connection connection) throws SQLException {
        return Map.of();
    }

    /** Returns how many more connections the server accepts; empty if it does not report that. */
    default OptionalInt connectionsLeft(Connection connection) throws SQLException {
        return OptionalInt.empty();
    }

    /** Returns the type of a column that the engine numbers, without the words that make it the primary key. */
    default Optional<String> identity() {
        return Optional.empty();
    }

    /** Returns how UUIDs are stored and generated. */
    default Optional<UuidSql> uuids() {
        return Optional.empty();
    }

    /** Returns the statements for native sequences. */
    default Optional<NativeSql> sequences() {
        return Optional.empty();
    }

    /** Returns the statements for a sequence emulated by a row, as published. */
    default Optional<EmulatedSql> emulated() {
        return Optional.empty();
    }

    /** Returns how to select rows whose column {@code n} is 1, 2, 3, …. */
    default Optional<SeriesSql> series() {
        return Optional.empty();
    }

    /**
     * The engine's UUIDs.
     *
     * @param type the column type
     * @param bytes whether the driver takes them as 16 bytes
     * @param asText an expression that generates one as text; empty if the engine generates none
     * @param asKey the same as a value of the column
     */
    record UuidSql(String type, boolean bytes, String asText, String asKey) {

        /** Returns whether the engine generates them. */
        public boolean made() {
            return !asText.isEmpty();
        }
    }

    /**
     * The engine's native sequences; {@code %s} is the name.
     *
     * @param create a statement, with {@code %d} for the cache
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
     * @param create creates the table
     * @param draw the update; returns the number if {@code read} is empty
     * @param read a query for the number that the update drew; may be empty
     */
    record EmulatedSql(String create, String draw, String read) {

        /** The row's name. */
        public static final String ROW = "bench";
    }

    /**
     * A series of numbers as a table.
     *
     * @param from what follows {@code FROM}, with {@code %d} for the number of rows
     * @param text an expression for a row's text, made of {@code n}
     */
    record SeriesSql(String from, String text) {}
}
