// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.TransactionScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A transaction that inserts a row with each number as its primary key, and then goes on for a while. Thread-safe. */
record InsertedRows(TransactionScope<Connection> store, ScratchTable table, SimulatedWork more) implements Application {

    @Override
    public void use(Object transaction, long value) {
        try (PreparedStatement statement = ((Connection) transaction).prepareStatement(table.insert())) {
            statement.setLong(1, value);
            statement.setString(2, "row " + value);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw table.failed("a row could not be inserted", e);
        }
    }

    @Override
    public boolean rest() {
        return more.rest();
    }

    @Override
    public boolean after(Draw draw) {
        return store.<Boolean, RuntimeException>inTransaction(connection -> {
            for (int i = 0; i < draw.count(); i++) {
                use(connection, draw.value(i));
            }
            return rest();
        });
    }

    @Override
    public boolean isIdle() {
        return false;
    }
}
