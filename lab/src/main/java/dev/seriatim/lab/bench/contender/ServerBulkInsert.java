// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.lab.bench.load.DrawLog;
import dev.seriatim.lab.bench.load.Iteration;
import dev.seriatim.lab.bench.site.EngineSql.SeriesSql;
import dev.seriatim.lab.bench.site.ScratchTable;
import dev.seriatim.store.TransactionScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A statement that inserts many rows at once, with keys that the server makes, as published. Thread-safe. */
record ServerBulkInsert(TransactionScope<Connection> store, ScratchTable table, String sql, int rows)
        implements Iteration {

    /** With keys made by an expression. */
    static ServerBulkInsert with(String expression, Stage stage) {
        int rows = stage.plan().setting().use().rows();
        SeriesSql series = stage.site().engine().series().orElseThrow();
        ScratchTable table = stage.table();
        String sql = "INSERT INTO " + table.name() + " (id, note) SELECT " + expression + ", " + series.text()
                + " FROM " + series.from().formatted(rows);
        return new ServerBulkInsert(stage.site().tables(), table, sql, rows);
    }

    @Override
    public boolean run(DrawLog draw) {
        draw.started = System.nanoTime();
        store.<Boolean, RuntimeException>inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                draw.unseen = statement.executeUpdate();
                return true;
            } catch (SQLException e) {
                throw table.failed("rows could not be inserted", e);
            }
        });
        draw.finished = System.nanoTime();
        return true;
    }
}
