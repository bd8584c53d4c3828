// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.option.EngineSql.EmulatedSql;
import dev.seriatim.cli.option.EngineSql.SequenceSql;
import dev.seriatim.cli.option.EngineSql.UuidSql;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SchemaInstaller;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Iterations whose numbers come from a database's own means, or whose keys are UUIDs. Stateless. */
final class SqlDraws {

    private SqlDraws() {}

    /** Draws from a row of a temporary table, incremented in the caller's transaction. */
    static Iteration emulated(Stage stage) {
        Site site = stage.site();
        EmulatedSql sql = site.engine().emulated().orElseThrow();
        String table = ScratchSequence.freshName();
        site.execute(sql.create().formatted(table));
        stage.onClose(() -> site.execute("DROP TABLE " + table));
        site.execute("INSERT INTO %s (seq_name, last_val) VALUES ('%s', 0)".formatted(table, EmulatedSql.ROW));
        String draw = sql.draw().formatted(table);
        return stage.drawingIn(connection -> () -> {
            if (sql.read().isEmpty()) {
                return ask(connection, draw);
            }
            try (PreparedStatement update = connection.prepareStatement(draw)) {
                update.executeUpdate();
            } catch (SQLException e) {
                throw failed(draw, e);
            }
            return ask(connection, sql.read());
        });
    }

    /** Inserts rows that the database numbers, and reads the generated numbers. */
    static Iteration identities(Stage stage) {
        Setting setting = stage.plan().setting();
        return stage.inserting((connection, draw) -> {
            for (int inserted = 0; inserted < setting.rows(); inserted += setting.rowsAtATime()) {
                stage.table().insertUnnumbered(connection, setting.rowsAtATime(), draw);
            }
        });
    }

    /** Inserts a row that a trigger numbers at the commit. */
    static Iteration atCommit(Stage stage) {
        ColumnName number = ColumnName.of(stage.table().name(), "number");
        SchemaInstaller store = (SchemaInstaller) stage.site().store();
        store.atCommit(number, Optional.of(stage.sequence()), false);
        stage.onClose(() -> store.atCommit(number, Optional.empty(), false));
        return stage.inserting((connection, draw) -> {
            stage.table().insertWithoutNumber(connection);
            draw.unseen = 1;
        });
    }

    /** Draws from a temporary native sequence, with the batch size as its cache. */
    static Iteration natively(Stage stage) {
        Site site = stage.site();
        String name = ScratchSequence.freshName();
        SequenceSql sql = site.engine().sequence().orElseThrow();
        String next = sql.next().formatted(name);
        site.execute(sql.create().formatted(name, stage.plan().batchSize()));
        stage.onClose(() -> site.execute("DROP SEQUENCE " + name));
        if (stage.plan().setting().inOneStatement()) {
            return inOneStatement(stage, next);
        }
        String query = "SELECT " + next;
        if (stage.plan().setting().insertsRows()) {
            return stage.drawingIn(connection -> () -> ask(connection, query));
        }
        return sql.cached()
                ? asking(stage, query)
                : stage.drawing(() -> site.inTransaction(connection -> ask(connection, query)));
    }

    /** Draws UUIDs from the server; a row's UUID is generated in the statement that inserts it. */
    static Iteration serverUuids(Stage stage) {
        UuidSql sql = stage.site().engine().uuids().orElseThrow();
        return stage.plan().setting().insertsRows()
                ? inOneStatement(stage, sql.asKey())
                : asking(stage, "SELECT " + sql.asText());
    }

    static Iteration uuids(Stage stage, Supplier<UUID> making) {
        Setting setting = stage.plan().setting();
        if (!setting.insertsRows()) {
            return stage.drawing(() -> ScratchTable.folded(making.get()));
        }
        return stage.inserting((connection, draw) -> {
            for (int inserted = 0; inserted < setting.rows(); inserted += setting.rowsAtATime()) {
                List<UUID> keys = new ArrayList<>();
                for (int i = 0; i < setting.rowsAtATime(); i++) {
                    draw.begin();
                    UUID key = making.get();
                    draw.took(ScratchTable.folded(key));
                    keys.add(key);
                }
                stage.table().insert(connection, keys);
            }
        });
    }

    /** Inserts all rows in one statement, with keys generated by the server, as published. */
    private static Iteration inOneStatement(Stage stage, String key) {
        int rows = stage.plan().setting().rows();
        return stage.inserting((connection, draw) -> draw.unseen = stage.table().insertSeries(connection, rows, key));
    }

    /** Asks for a key before an application transaction, on a connection of the client's own if there are enough. */
    private static Iteration asking(Stage stage, String query) {
        return Iteration.openedBy(() -> {
            if (stage.plan().threads() > stage.site().clients()) {
                return stage.drawing(() -> {
                    try (Connection connection = stage.site().connect()) {
                        return ask(connection, query);
                    } catch (SQLException e) {
                        throw failed(query, e);
                    }
                });
            }
            Connection connection = stage.site().connect();
            stage.onClose(() -> close(connection));
            try {
                PreparedStatement statement = connection.prepareStatement(query);
                return stage.drawing(() -> ask(statement, query));
            } catch (SQLException e) {
                throw failed(query, e);
            }
        });
    }

    private static long ask(Connection connection, String query) {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            return ask(statement, query);
        } catch (SQLException e) {
            throw failed(query, e);
        }
    }

    private static long ask(PreparedStatement statement, String query) {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            Object key = row.getObject(1);
            return key instanceof Number number
                    ? number.longValue()
                    : ScratchTable.folded(UUID.fromString(String.valueOf(key)));
        } catch (SQLException e) {
            throw failed(query, e);
        }
    }

    private static Unavailable failed(String sql, SQLException e) {
        return new Unavailable("'" + sql + "' failed (" + e.getMessage() + ")", e);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // The connection is discarded in either case.
        }
    }
}
