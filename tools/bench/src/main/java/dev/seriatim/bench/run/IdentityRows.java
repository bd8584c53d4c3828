// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.store.TransactionScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Inserts rows that the database numbers, and reads the generated numbers. Thread-safe. */
record IdentityRows(TransactionScope<Connection> store, ScratchTable table, Setting.Use use) implements Iteration {

    @Override
    public boolean run(DrawLog draw) {
        draw.started = System.nanoTime();
        store.<Boolean, RuntimeException>inTransaction(connection -> {
            draw.restart();
            int atATime = use.oneByOne() ? 1 : use.rows();
            for (int inserted = 0; inserted < use.rows(); inserted += atATime) {
                insert(connection, draw, atATime);
            }
            return true;
        });
        draw.finished = System.nanoTime();
        return true;
    }

    private void insert(Connection connection, DrawLog draw, int rows) {
        draw.begin();
        try (PreparedStatement statement =
                connection.prepareStatement(table.insertUnnumbered(), Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 1; i <= rows; i++) {
                statement.setString(1, ScratchTable.TEXT);
                if (rows > 1) {
                    statement.addBatch();
                }
            }
            if (rows > 1) {
                statement.executeBatch();
            } else {
                statement.executeUpdate();
            }
            int before = draw.count();
            take(statement, draw);
            draw.unseen += rows - (draw.count() - before); // some engines return only the last number of a batch
        } catch (SQLException e) {
            throw table.insertFailed(e);
        }
    }

    private static void take(Statement statement, DrawLog draw) throws SQLException {
        try (ResultSet keys = statement.getGeneratedKeys()) {
            while (keys.next()) {
                draw.took(keys.getLong(1));
            }
        }
    }
}
