// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.OpenStore;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/** A table of one run alone, under a name that nobody else has; dropped when closed. Thread-safe. */
final class ScratchTable implements AutoCloseable {

    private final JdbcStore store;
    private final String name;

    private ScratchTable(JdbcStore store, String name) {
        this.store = store;
        this.name = name;
    }

    /**
     * Creates one.
     *
     * @throws Misconfigured when the store has no tables
     */
    static ScratchTable in(OpenStore store) {
        if (!(store instanceof JdbcStore tables)) {
            throw new Misconfigured("--insert-rows makes a table by JDBC, which " + store
                    + " is not; name a jdbc: or sqlite: URL, or leave it out");
        }
        String name = ScratchSequence.PREFIX + UUID.randomUUID().toString().replace("-", "");
        ScratchTable table = new ScratchTable(tables, name);
        table.execute("CREATE TABLE " + name + " (id BIGINT NOT NULL PRIMARY KEY, note VARCHAR(40))");
        return table;
    }

    InsertedRows rows(SimulatedWork more) {
        return new InsertedRows(store, this, more);
    }

    String insert() {
        return "INSERT INTO " + name + " (id, note) VALUES (?, ?)";
    }

    /** The numbers in the committed rows. */
    long[] numbers() {
        return store.inTransaction(connection -> {
            LongLog numbers = new LongLog(0);
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT id FROM " + name)) {
                while (row.next()) {
                    numbers.add(row.getLong(1));
                }
                return LongLog.merge(List.of(numbers));
            } catch (SQLException e) {
                throw failed(e);
            }
        });
    }

    @Override
    public void close() {
        execute("DROP TABLE " + name);
    }

    private void execute(String sql) {
        store.<Boolean, RuntimeException>inTransaction((Connection connection) -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            } catch (SQLException e) {
                throw failed(e);
            }
        });
    }

    private SequenceException failed(SQLException e) {
        return new SequenceException.Unavailable(
                "the table " + name + " of the benchmark failed (" + e.getMessage() + ")", e);
    }
}
