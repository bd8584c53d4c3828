// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.MissingDatabase;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Scrubbing;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.jdbc.sqlite.SqliteDialect;
import dev.seriatim.jdbc.sqlite.SqliteFile;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.store.TableOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens {@code sqlite:FILE}. The first sequence creates the file. Options:
 *
 * <ul>
 *   <li>{@code table}: the table, by default {@value SequenceTable#DEFAULT_NAME}
 *   <li>{@code kind=next} or {@code kind=last}: an existing plain table whose counter is the next or the last value
 *       drawn; together with {@code name-column}, {@code value-column} and the definition of its sequences: {@code
 *       start-with}, {@code increment-by}, {@code min-value}, {@code max-value}, {@code cache}
 *   <li>{@code busy-timeout}: how long to wait for other processes, such as {@code 10s}
 *   <li>{@code durability=warn}: only warn if the file's settings can lose commits
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class SqliteDriver implements StoreDriver {

    /** A file may have feeds and no sequences. */
    private static final String FEEDS =
            "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = 'seriatim_feed'";

    @Override
    public String prefix() {
        return "sqlite:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        SequenceTable table = table(url);
        DurabilityCheck durability = DurabilityCheck.of(url);
        Duration patience = patience(url);
        Path file = file(url);
        Dialect dialect = new SqliteDialect();
        PlacedTable place = new PlacedTable(dialect, table, Optional.of(SqliteDialect.SCHEMA));
        CounterRows rows = new CounterRows(place, table);
        String shown = StoreUrl.redact(file.toString());
        SqliteFile connections = new SqliteFile(file, shown, patience, (connection, creating) -> {
            if (!creating && Sql.read(connection, FEEDS).isEmpty()) {
                // First, so that a foreign file is left unchanged.
                rows.probe(connection);
            }
            durability.check(shown, dialect.preflight(connection, place));
        });
        return new JdbcStore(connections, rows, shown, patience, Optional.empty());
    }

    /** Returns how to reach the file without opening the store, and without creating the file. */
    static DatabaseAccess access(StoreUrl url) {
        SequenceTable table = table(url);
        DurabilityCheck.of(url);
        Duration patience = patience(url);
        Path file = file(url);
        String shown = StoreUrl.redact(file.toString());
        Scrubbing scrubbing = new Scrubbing(url::scrub);
        return new DatabaseAccess(shown, table, scrubbing, (readOnly, limit) -> {
            try {
                return SqliteFile.existing(file, shown, patience, readOnly);
            } catch (MissingDatabase e) {
                throw new Misconfigured("there is no such file: " + shown + "; correct its name", e);
            } catch (SQLException e) {
                throw NoConnection.to(shown, scrubbing.of(e));
            }
        });
    }

    private static SequenceTable table(StoreUrl url) {
        return new TableOptions(url.allowOnly(TableOptions.and("busy-timeout", "durability"))).table();
    }

    private static Duration patience(StoreUrl url) {
        return url.duration("busy-timeout").orElse(Transactions.PATIENCE);
    }

    private static Path file(StoreUrl url) {
        String place = url.place();
        if (place.isEmpty() || place.equals(":memory:")) {
            throw url.refused("it names no file; write sqlite:FILE, or memory: for a store that keeps nothing");
        }
        try {
            return Path.of(place);
        } catch (InvalidPathException e) {
            throw url.refused("its file's name is invalid: " + e.getReason());
        }
    }
}
