// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.cli.option.EngineSql.EmulatedSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A sequence in plain SQL: a row of a temporary table, incremented in the caller's transaction. Thread-safe. */
record EmulatedSequence(String draw, String read) {

    /** Creates the table and its row; closing the stage drops it. */
    static EmulatedSequence in(Stage stage) {
        EmulatedSql sql = stage.site().engine().emulated().orElseThrow();
        String table = ScratchSequence.freshName();
        stage.site().execute(sql.create().formatted(table));
        stage.onClose(() -> stage.site().execute("DROP TABLE " + table));
        stage.site().execute("INSERT INTO " + table + " (seq_name, last_val) VALUES ('" + EmulatedSql.ROW + "', 0)");
        return new EmulatedSequence(sql.draw().formatted(table), sql.read());
    }

    long next(Connection transaction) {
        try {
            return read.isEmpty() ? number(transaction, draw) : updateAndRead(transaction);
        } catch (SQLException e) {
            throw new Unavailable("cannot draw from the emulated sequence (" + e.getMessage() + ")", e);
        }
    }

    private long updateAndRead(Connection transaction) throws SQLException {
        try (PreparedStatement update = transaction.prepareStatement(draw)) {
            update.executeUpdate();
        }
        return number(transaction, read);
    }

    static long number(Connection connection, String query) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
