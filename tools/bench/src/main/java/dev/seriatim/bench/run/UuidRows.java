// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Key;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.store.TransactionScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Supplier;

/** Inserts rows with UUIDs made in this process as primary keys. Thread-safe. */
record UuidRows(TransactionScope<Connection> store, ScratchTable table, Setting.Use use, Supplier<UUID> making)
        implements Iteration {

    UuidRows(Stage stage, Supplier<UUID> making) {
        this(stage.site().tables(), stage.table(), stage.plan().setting().use(), making);
    }

    @Override
    public boolean run(DrawLog draw) {
        draw.started = System.nanoTime();
        store.<Boolean, RuntimeException>inTransaction(connection -> {
            draw.restart();
            insert(connection, draw);
            return true;
        });
        draw.finished = System.nanoTime();
        return true;
    }

    private void insert(Connection connection, DrawLog draw) {
        try {
            if (use.oneByOne()) {
                for (int i = 0; i < use.rows(); i++) {
                    insertOne(connection, draw);
                }
            } else {
                insertBatch(connection, draw);
            }
        } catch (SQLException e) {
            throw table.insertFailed(e);
        }
    }

    private void insertOne(Connection connection, DrawLog draw) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(table.insert())) {
            bind(statement, draw);
            statement.executeUpdate();
        }
    }

    private void insertBatch(Connection connection, DrawLog draw) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(table.insert())) {
            for (int i = 0; i < use.rows(); i++) {
                bind(statement, draw);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private void bind(PreparedStatement statement, DrawLog draw) throws SQLException {
        draw.begin();
        UUID key = making.get();
        draw.took(Key.folded(key));
        table.bind(statement, 1, key);
        statement.setString(2, ScratchTable.TEXT);
    }
}
