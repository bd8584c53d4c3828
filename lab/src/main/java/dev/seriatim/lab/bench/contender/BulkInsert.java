// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.jdbc.dialect.BenchmarkSql.SeriesSql;
import dev.seriatim.lab.bench.load.DrawLog;
import dev.seriatim.lab.bench.load.Iteration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A transaction that inserts many rows at once, with numbers that were drawn before it: a block in one statement that counts
 * on from its first number, single numbers as a batch. Thread-safe.
 *
 * @param stage where the rows go
 * @param numbers where the numbers are drawn
 * @param rows how many
 * @param oneByOne whether each number is drawn alone
 * @param series how the engine counts
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
                throw stage.table().failed("rows could not be inserted", e);
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
