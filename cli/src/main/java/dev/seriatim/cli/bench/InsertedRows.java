// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.SequenceException;
import dev.seriatim.TransactionScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A transaction that inserts a row with the number as its primary key, and then goes on for a while. Thread-safe. */
record InsertedRows(TransactionScope<Connection> store, ScratchTable table, SimulatedWork more) implements Application {

    @Override
    public boolean inside(Object transaction, long value) {
        insert((Connection) transaction, value);
        return more.isIdle() || more.inside(transaction, value);
    }

    @Override
    public boolean after(long value) {
        return store.<Boolean, RuntimeException>inTransaction(connection -> inside(connection, value));
    }

    @Override
    public boolean isIdle() {
        return false;
    }

    private void insert(Connection connection, long value) {
        try (PreparedStatement statement = connection.prepareStatement(table.insert())) {
            statement.setLong(1, value);
            statement.setString(2, "row " + value);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new SequenceException.Unavailable(
                    "the row " + value + " could not be inserted (" + e.getMessage() + ")", e);
        }
    }
}
