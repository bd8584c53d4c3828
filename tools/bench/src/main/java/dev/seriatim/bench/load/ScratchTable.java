// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.option.EngineSql;
import dev.seriatim.cli.option.EngineSql.SeriesSql;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/** A table for a single run, with a unique name; dropped on close. Thread-safe. */
public record ScratchTable(Site site, Key key, String name) implements AutoCloseable {

    /** A row's content beside its key: the same for all contenders, so that all rows have the same length. */
    private static final String TEXT = "a row";

    public enum Key {
        /** Numbers that the benchmark inserts. */
        NUMBER,
        /** Numbers that the engine generates on insert. */
        IDENTITY,
        /** The same, beside numbers that rows get when their transaction commits. */
        IDENTITY_AND_NUMBER,
        UUID;

        private String type(EngineSql engine) {
            return switch (this) {
                case NUMBER -> "BIGINT NOT NULL";
                case IDENTITY, IDENTITY_AND_NUMBER -> engine.identity().orElseThrow();
                case UUID -> engine.uuids().orElseThrow().type() + " NOT NULL";
            };
        }
    }

    public static ScratchTable in(Site site, Key key) {
        String name = ScratchSequence.freshName();
        String number = key == Key.IDENTITY_AND_NUMBER ? ", number BIGINT" : "";
        site.execute("CREATE TABLE %s (id %s PRIMARY KEY, note VARCHAR(40)%s)"
                .formatted(name, key.type(site.engine()), number));
        return new ScratchTable(site, key, name);
    }

    /** Returns a hash of a UUID for the checks; two UUIDs collide with a probability of 2^-60. */
    public static long folded(UUID uuid) {
        return uuid.getMostSignificantBits() * 0x9E3779B97F4A7C15L ^ uuid.getLeastSignificantBits();
    }

    public void insert(Connection transaction, List<?> keys) {
        try (PreparedStatement statement =
                transaction.prepareStatement("INSERT INTO " + name + " (id, note) VALUES (?, ?)")) {
            for (Object id : keys) {
                statement.setObject(1, id instanceof UUID uuid ? value(uuid) : id);
                statement.setString(2, TEXT);
                if (keys.size() > 1) {
                    statement.addBatch();
                }
            }
            execute(statement, keys.size());
        } catch (SQLException e) {
            throw failed("cannot insert rows", e);
        }
    }

    /** Inserts rows that the database numbers, several as one JDBC batch, and records the numbers that it returns. */
    public void insertUnnumbered(Connection transaction, int rows, DrawLog draw) {
        draw.begin();
        int before = draw.count();
        insertUnnumbered(transaction, rows, draw::took);
        draw.unseen += rows - (draw.count() - before); // some engines return only the last number of a batch
    }

    private void insertUnnumbered(Connection transaction, int rows, LongConsumer returned) {
        try (PreparedStatement statement = transaction.prepareStatement(
                "INSERT INTO " + name + " (note) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 0; i < rows; i++) {
                statement.setString(1, TEXT);
                if (rows > 1) {
                    statement.addBatch();
                }
            }
            execute(statement, rows);
            try (ResultSet keys = statement.getGeneratedKeys()) {
                while (keys.next()) {
                    returned.accept(keys.getLong(1));
                }
            }
        } catch (SQLException e) {
            throw failed("cannot insert rows", e);
        }
    }

    /** Inserts a row without a number, and returns its key. */
    public long insertWithoutNumber(Connection transaction) {
        AtomicLong key = new AtomicLong();
        insertUnnumbered(transaction, 1, key::set);
        return key.get();
    }

    /** Stores the number of such a row. */
    public void number(Connection transaction, long id, long number) {
        try (PreparedStatement statement =
                transaction.prepareStatement("UPDATE " + name + " SET number = ? WHERE id = ?")) {
            statement.setLong(1, number);
            statement.setLong(2, id);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw failed("cannot number a row", e);
        }
    }

    private static void execute(PreparedStatement statement, int rows) throws SQLException {
        if (rows > 1) {
            statement.executeBatch();
        } else {
            statement.executeUpdate();
        }
    }

    /** Inserts rows in one statement, with an expression of the row's place {@code n} for the keys, and returns their number. */
    public int insertSeries(Connection transaction, long rows, String id, long... parameters) {
        SeriesSql series = site.engine().series().orElseThrow();
        String sql = "INSERT INTO " + name + " (id, note) SELECT " + id + ", " + series.text() + " FROM "
                + series.from().formatted(rows);
        try (PreparedStatement statement = transaction.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setLong(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw failed("cannot insert rows", e);
        }
    }

    /** Returns the numbers in the committed rows; UUIDs {@linkplain #folded folded}. */
    public long[] numbers() {
        String query = key == Key.IDENTITY_AND_NUMBER
                ? "SELECT number FROM " + name + " WHERE number IS NOT NULL"
                : "SELECT id FROM " + name;
        return site.tables().inTransaction(connection -> {
            LongStream.Builder numbers = LongStream.builder();
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(query)) {
                while (row.next()) {
                    numbers.add(key == Key.UUID ? folded(uuid(row)) : row.getLong(1));
                }
                return numbers.build().toArray();
            } catch (SQLException e) {
                throw failed("cannot read rows", e);
            }
        });
    }

    private Object value(UUID uuid) {
        Class<?> java = site.engine().uuids().orElseThrow().java();
        if (java == byte[].class) {
            return ByteBuffer.allocate(16)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
        }
        return java == String.class ? uuid.toString() : uuid;
    }

    private UUID uuid(ResultSet row) throws SQLException {
        if (site.engine().uuids().orElseThrow().java() != byte[].class) {
            return UUID.fromString(row.getString(1));
        }
        ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(1));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private Unavailable failed(String what, SQLException e) {
        return new Unavailable("the table " + name + " of the benchmark: " + what + " (" + e.getMessage() + ")", e);
    }

    @Override
    public void close() {
        site.execute("DROP TABLE " + name);
    }
}
