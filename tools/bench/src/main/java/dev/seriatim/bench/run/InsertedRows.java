// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.store.TransactionScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A transaction that inserts a row for each number, with the number as primary key, and then does other work. Thread-safe.
 *
 * @param store opens transactions for numbers drawn before
 * @param table the table
 * @param batch whether to insert all rows as one batch after the last draw, instead of one by one
 * @param more the other work
 */
public record InsertedRows(TransactionScope<Connection> store, ScratchTable table, boolean batch, SimulatedWork more)
        implements ClientWork {

    /** Inserts rows into a table of the site. */
    public static InsertedRows into(ScratchTable table, Site site, Setting.Use use, SimulatedWork more) {
        return new InsertedRows(site.tables(), table, !use.oneByOne(), more);
    }

    @Override
    public void use(Object transaction, long value) {
        if (batch) {
            return;
        }
        try (PreparedStatement statement = ((Connection) transaction).prepareStatement(table.insert())) {
            bind(statement, value);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw table.insertFailed(e);
        }
    }

    @Override
    public void useTogether(Object transaction, DrawLog draw) {
        if (!batch) {
            return;
        }
        try (PreparedStatement statement = ((Connection) transaction).prepareStatement(table.insert())) {
            for (int i = 0; i < draw.count(); i++) {
                bind(statement, draw.value(i));
                statement.addBatch();
            }
            statement.executeBatch();
        } catch (SQLException e) {
            throw table.insertFailed(e);
        }
    }

    private static void bind(PreparedStatement statement, long value) throws SQLException {
        statement.setLong(1, value);
        statement.setString(2, ScratchTable.TEXT);
    }

    @Override
    public boolean rest() {
        return more.rest();
    }

    @Override
    public boolean after(DrawLog draw) {
        return store.<Boolean, RuntimeException>inTransaction(connection -> {
            for (int i = 0; i < draw.count(); i++) {
                use(connection, draw.value(i));
            }
            useTogether(connection, draw);
            return rest();
        });
    }

    @Override
    public boolean isIdle() {
        return false;
    }
}
