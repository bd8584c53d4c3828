// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.cli.option.EngineSql.SeriesSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Inserts many rows in one transaction, with numbers drawn before it: a block in one statement that counts up from its first
 * number, single numbers as a JDBC batch. Thread-safe.
 *
 * @param stage the stage with the table
 * @param numbers the sequence
 * @param rows rows per transaction
 * @param oneByOne whether to draw each number separately
 * @param series the SQL for a series of numbers
 */
record BulkInsert(Stage stage, Sequence numbers, int rows, boolean oneByOne, SeriesSql series) implements Iteration {

    static BulkInsert drawing(Sequence numbers, Stage stage) {
        return new BulkInsert(
                stage,
                numbers,
                stage.plan().setting().use().rows(),
                !stage.plan().mode().dealsFromBlocks(),
                stage.site().engine().series().orElseThrow());
    }

    @Override
    public boolean run(DrawLog draw) {
        draw.started = System.nanoTime();
        if (oneByOne) {
            for (int i = 0; i < rows; i++) {
                draw.begin();
                draw.took(numbers.next());
            }
            stage.application().after(draw);
        } else {
            while (draw.count() < rows) {
                draw.begin();
                Block block = numbers.next(rows - draw.count());
                draw.took(block);
                insert(connection -> insertBlock(connection, block));
            }
        }
        draw.finished = System.nanoTime();
        return true;
    }

    private interface Insertion {
        void in(Connection connection) throws SQLException;
    }

    private void insert(Insertion insertion) {
        stage.site().tables().<Boolean, RuntimeException>inTransaction(connection -> {
            try {
                insertion.in(connection);
                return true;
            } catch (SQLException e) {
                throw stage.table().insertFailed(e);
            }
        });
    }

    private void insertBlock(Connection connection, Block block) throws SQLException {
        String sql = "INSERT INTO " + stage.table().name() + " (id, note) SELECT n * " + block.increment() + " + ?, "
                + series.text() + " FROM " + series.from().formatted(block.count());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, block.first() - block.increment());
            statement.executeUpdate();
        }
    }
}
