// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.BenchmarkSql.NativeSql;
import dev.seriatim.lab.bench.load.Iteration;
import dev.seriatim.lab.bench.site.ScratchSequence;
import java.sql.Connection;
import java.sql.SQLException;

/** Draws from a temporary native sequence of the database. */
final class NativeDraws {

    private NativeDraws() {}

    /** Creates the sequence, with the batch size as its cache; closing the stage drops it. */
    static Iteration in(Stage stage) {
        NativeSql sql = stage.site().engine().sequences().orElseThrow();
        String name = ScratchSequence.freshName();
        stage.site().execute(sql.createOf(name, stage.plan().batchSize()));
        stage.onClose(() -> stage.site().execute(sql.dropOf(name)));
        Setting.Use use = stage.plan().setting().use();
        if (use.inOneStatement()) {
            return ServerBulkInsert.with(sql.nextOf(name), stage);
        }
        String query = "SELECT " + sql.nextOf(name);
        return use.insertsRows()
                ? new DrawInTransaction<>(
                        stage.site().tables(),
                        transaction -> ask(transaction, query),
                        stage.application(),
                        stage.plan().numbersPerIteration())
                : new ServerQuery(stage, query, row -> row.getLong(1));
    }

    private static long ask(Connection transaction, String query) {
        try {
            return EmulatedSequence.number(transaction, query);
        } catch (SQLException e) {
            throw new Unavailable("'" + query + "' failed (" + e.getMessage() + ")", e);
        }
    }
}
