// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.RpcLockHint;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.Layout;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Reads sequences from the cells of their rows, and builds the mutations that write them. Immutable. */
final class Cells {

    private final SequenceTable table;
    private final String path;
    private final SqlDialect sql;
    private final String place;
    private final Layout layout;
    private final List<String> columns = new ArrayList<>();
    private final List<String> numberColumns;

    /** Reads a table; {@code place} names it in messages. */
    Cells(SequenceTable table, SqlDialect sql, String place) {
        this.table = table;
        this.sql = sql;
        path = sql.path(table.table());
        this.place = place;
        layout = Layout.of(table);
        columns.add(table.nameColumn());
        columns.addAll(layout.columns());
        numberColumns = layout.columns().stream().map(Cells::lower).toList();
    }

    Layout layout() {
        return layout;
    }

    /**
     * Identifies a row, whichever store uses it. Spanner ignores the case of table and column names: lower case here.
     */
    record Row(String table, String nameColumn, String name) {}

    Row row(String name) {
        return new Row(lower(path), lower(table.nameColumn()), name);
    }

    /** Returns the columns of {@link Layout#numbers}, in lower case. */
    List<String> numberColumns() {
        return numberColumns;
    }

    private static String lower(String identifier) {
        return identifier.toLowerCase(Locale.ROOT);
    }

    Optional<SequenceState> read(ReadContext context, String name) {
        Struct row = context.readRow(path, key(name), columns);
        return row == null ? Optional.empty() : Optional.of(state(row));
    }

    /**
     * Reads and locks a row exclusively: with a shared lock, one of two transactions that read it would fail to commit.
     */
    Optional<SequenceState> lock(TransactionContext transaction, String name) {
        try (ResultSet rows =
                transaction.read(path, KeySet.singleKey(key(name)), columns, Options.lockHint(RpcLockHint.EXCLUSIVE))) {
            return rows.next() ? Optional.of(state(rows.getCurrentRowAsStruct())) : Optional.empty();
        }
    }

    /** Like {@link #lock}. Throws {@link NotFound} if the sequence does not exist. */
    SequenceState locked(TransactionContext transaction, String name) {
        return lock(transaction, name).orElseThrow(() -> new NotFound(name, place));
    }

    /** Throws {@link IllegalStateException} if a transaction has ended. */
    void requireOpen(TransactionContext transaction, String name) {
        // Sends nothing until the first row is requested.
        transaction.read(path, KeySet.singleKey(key(name)), columns).close();
    }

    private static Key key(String name) {
        return Key.of(SequenceDefinition.checkName(name));
    }

    List<SequenceState> readAll(ReadContext context, BiConsumer<String, Misconfigured> broken) {
        List<SequenceState> states = new ArrayList<>();
        try (ResultSet rows = context.read(path, KeySet.all(), columns)) {
            while (rows.next()) {
                Struct row = rows.getCurrentRowAsStruct();
                try {
                    states.add(state(row));
                } catch (Misconfigured e) {
                    broken.accept(row.getString(0), e);
                }
            }
        }
        return states;
    }

    Mutation insert(SequenceState state) {
        return written(Mutation.newInsertBuilder(path), state, i -> true);
    }

    /** Returns the mutation that writes the counter and other cells that have changed. */
    Mutation move(SequenceState before, SequenceState after) {
        long[] old = layout.numbers(before);
        long[] now = layout.numbers(after);
        return written(Mutation.newUpdateBuilder(path), after, i -> i == 0 || now[i] != old[i]);
    }

    private Mutation written(Mutation.WriteBuilder row, SequenceState state, IntPredicate cells) {
        row.set(table.nameColumn()).to(state.definition().name());
        long[] numbers = layout.numbers(state);
        IntStream.range(0, numbers.length)
                .filter(cells)
                .forEach(i -> row.set(layout.columns().get(i)).to(numbers[i]));
        return row.build();
    }

    Mutation delete(String name) {
        return Mutation.delete(path, Key.of(name));
    }

    private SequenceState state(Struct row) {
        long[] numbers = new long[numberColumns.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (row.isNull(i + 1)) {
                throw new Misconfigured(
                        row.getString(0),
                        "its row in table " + table.table() + " has no " + columns.get(i + 1) + "; set that column");
            }
            numbers[i] = row.getLong(i + 1);
        }
        return layout.state(row.getString(0), numbers);
    }

    String createTable() {
        return sql.createTable(table.table(), table.nameColumn(), layout.columns());
    }

    String tableInSql() {
        return sql.quoted(table.table());
    }
}
