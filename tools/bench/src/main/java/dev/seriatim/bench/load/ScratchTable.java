// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.EngineSql;
import dev.seriatim.cli.option.EngineSql.UuidSql;
import dev.seriatim.store.TransactionScope;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.LongStream;

/** A table for a single run, with a unique name; dropped on close. Thread-safe. */
public final class ScratchTable implements AutoCloseable {

    /** A row's content beside its key: the same for all contenders, so that all rows have the same length. */
    public static final String TEXT = "a row";

    private final TransactionScope<Connection> store;
    private final EngineSql engine;
    private final Key key;
    private final String name;

    private ScratchTable(TransactionScope<Connection> store, EngineSql engine, Key key, String name) {
        this.store = store;
        this.engine = engine;
        this.key = key;
        this.name = name;
    }

    /** Creates a table in a store that has tables. */
    public static ScratchTable in(Site site, Key key) {
        String name = ScratchSequence.freshName();
        EngineSql engine = site.engine();
        ScratchTable table = new ScratchTable(site.tables(), engine, key, name);
        site.execute("CREATE TABLE " + name + " (id " + key.type(engine) + " PRIMARY KEY, note VARCHAR(40))");
        return table;
    }

    public String name() {
        return name;
    }

    /** Returns the statement that inserts a row with its number and text. */
    public String insert() {
        return "INSERT INTO " + name + " (id, note) VALUES (?, ?)";
    }

    /** Returns the statement that inserts a row with its text; the engine generates the number. */
    public String insertUnnumbered() {
        return "INSERT INTO " + name + " (note) VALUES (?)";
    }

    /** Returns the numbers in the committed rows; UUIDs {@linkplain Key#folded folded}. */
    public long[] numbers() {
        return store.inTransaction(connection -> {
            LongStream.Builder numbers = LongStream.builder();
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT id FROM " + name)) {
                while (row.next()) {
                    numbers.add(key == Key.UUID ? Key.folded(uuid(row)) : row.getLong(1));
                }
                return numbers.build().toArray();
            } catch (SQLException e) {
                throw failed("cannot read its rows", e);
            }
        });
    }

    public void bind(PreparedStatement statement, int place, UUID value) throws SQLException {
        if (uuids().bytes()) {
            statement.setBytes(
                    place,
                    ByteBuffer.allocate(16)
                            .putLong(value.getMostSignificantBits())
                            .putLong(value.getLeastSignificantBits())
                            .array());
        } else {
            statement.setObject(place, value);
        }
    }

    private UUID uuid(ResultSet row) throws SQLException {
        if (!uuids().bytes()) {
            return row.getObject(1, UUID.class);
        }
        ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(1));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private UuidSql uuids() {
        return engine.uuids().orElseThrow();
    }

    public SequenceException insertFailed(SQLException e) {
        return failed("cannot insert rows", e);
    }

    private SequenceException failed(String what, SQLException e) {
        return new SequenceException.Unavailable(
                "the table " + name + " of the benchmark: " + what + " (" + e.getMessage() + ")", e);
    }

    @Override
    public void close() {
        Site.execute(store, "DROP TABLE " + name);
    }
}
