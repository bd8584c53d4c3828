// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.jdbc.sql.Connections;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.store.SequenceTable;
import java.time.Duration;
import java.util.Optional;

/** Stores whose preflight was omitted. */
final class UncheckedStores {

    private UncheckedStores() {}

    static JdbcStore over(
            Connections connections, Dialect dialect, SequenceTable table, String database, Duration patience) {
        CounterRows rows = new CounterRows(new PlacedTable(dialect, table, Optional.empty()), table);
        return new JdbcStore(connections, rows, database, patience, Optional.empty());
    }
}
