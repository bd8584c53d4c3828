// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.TransactionScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A transaction that inserts rows whose numbers the engine makes and tells. Thread-safe. */
record SelfNumberedRows(TransactionScope<Connection> store, ScratchTable table, int times) implements Iteration {

    @Override
    public boolean run(Draw draw) {
        draw.started = System.nanoTime();
        store.<Boolean, RuntimeException>inTransaction(connection -> {
            draw.restart();
            for (int i = 0; i < times; i++) {
                insert(connection, draw);
            }
            return true;
        });
        draw.finished = System.nanoTime();
        return true;
    }

    private void insert(Connection connection, Draw draw) {
        draw.begin();
        try (PreparedStatement statement =
                connection.prepareStatement(table.insertUnnumbered(), Statement.RETURN_GENERATED_KEYS)) {
            statement.setString(1, "row " + draw.count());
            statement.executeUpdate();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                keys.next();
                draw.took(keys.getLong(1));
            }
        } catch (SQLException e) {
            throw table.failed("a row could not be inserted", e);
        }
    }
}
