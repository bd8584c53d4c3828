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
import dev.seriatim.store.SequenceState;
import dev.seriatim.table.Layout;
import dev.seriatim.table.SequenceTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads sequences from the cells of their rows, and says how they are written. Immutable and thread-safe. */
final class Cells {

    private final SequenceTable table;
    private final String place;
    private final Layout layout;
    private final List<String> columns = new ArrayList<>();
    private final List<String> numberColumns;

    /** In a table, which people know by the place. */
    Cells(SequenceTable table, String place) {
        this.table = table;
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
     * A row, by which it is known whoever reads or writes it: Spanner takes the names of tables and columns in any case.
     *
     * @param table in lower case
     * @param nameColumn in lower case
     * @param name the sequence's, as it is
     */
    record Row(String table, String nameColumn, String name) {}

    /** Where a sequence is. */
    Row row(String name) {
        return new Row(lower(table.table()), lower(table.nameColumn()), name);
    }

    /** The columns of {@link Layout#numbers}, in lower case. */
    List<String> numberColumns() {
        return numberColumns;
    }

    private static String lower(String identifier) {
        return identifier.toLowerCase(Locale.ROOT);
    }

    /** One sequence. */
    Optional<SequenceState> read(ReadContext context, String name) {
        Struct row = context.readRow(table.table(), key(name), columns);
        return row == null ? Optional.empty() : Optional.of(state(row));
    }

    /**
     * One sequence, whose row nobody else gets to before the transaction ends. A shared lock would let two transactions read
     * the same counter, and cost one of them its commit.
     */
    Optional<SequenceState> lock(TransactionContext transaction, String name) {
        return lockNumbers(transaction, name).map(numbers -> state(name, numbers));
    }

    private Optional<long[]> lockNumbers(TransactionContext transaction, String name) {
        try (ResultSet rows = transaction.read(
                table.table(), KeySet.singleKey(key(name)), columns, Options.lockHint(RpcLockHint.EXCLUSIVE))) {
            return rows.next() ? Optional.of(numbers(rows.getCurrentRowAsStruct())) : Optional.empty();
        }
    }

    /**
     * As {@link #lock}.
     *
     * @throws NotFound when there is no such sequence
     */
    SequenceState locked(TransactionContext transaction, String name) {
        return state(name, lockedNumbers(transaction, name));
    }

    /**
     * What stands in the row, in the order of {@link #numberColumns}, locked as by {@link #lock}.
     *
     * @throws NotFound when there is no such sequence
     */
    long[] lockedNumbers(TransactionContext transaction, String name) {
        return lockNumbers(transaction, name).orElseThrow(() -> new NotFound(name, place));
    }

    /**
     * Throws what the client throws where a transaction has ended.
     *
     * @throws IllegalStateException when it has
     */
    void requireOpen(TransactionContext transaction, String name) {
        // Nothing is sent before the first row is asked for.
        transaction.read(table.table(), KeySet.singleKey(key(name)), columns).close();
    }

    private static Key key(String name) {
        return Key.of(SequenceDefinition.checkName(name));
    }

    /** All sequences, by name. */
    List<SequenceState> readAll(ReadContext context) {
        List<SequenceState> states = new ArrayList<>();
        try (ResultSet rows = context.read(table.table(), KeySet.all(), columns)) {
            while (rows.next()) {
                states.add(state(rows.getCurrentRowAsStruct()));
            }
        }
        return states;
    }

    /** Adds a row. */
    Mutation insert(SequenceState state) {
        return written(Mutation.newInsertBuilder(table.table()), state);
    }

    /** Writes all of a row. */
    Mutation update(SequenceState state) {
        return written(Mutation.newUpdateBuilder(table.table()), state);
    }

    /** Writes what a draw has changed. */
    Mutation move(SequenceState before, SequenceState after) {
        long[] old = layout.numbers(before);
        long[] now = layout.numbers(after);
        Mutation.WriteBuilder mutation = Mutation.newUpdateBuilder(table.table())
                .set(table.nameColumn())
                .to(after.definition().name());
        for (int i = 0; i < now.length; i++) {
            if (i == 0 || now[i] != old[i]) {
                mutation.set(layout.columns().get(i)).to(now[i]);
            }
        }
        return mutation.build();
    }

    /** Removes a row. */
    Mutation delete(String name) {
        return Mutation.delete(table.table(), Key.of(name));
    }

    private Mutation written(Mutation.WriteBuilder mutation, SequenceState state) {
        mutation.set(table.nameColumn()).to(state.definition().name());
        long[] numbers = layout.numbers(state);
        for (int i = 0; i < numbers.length; i++) {
            mutation.set(layout.columns().get(i)).to(numbers[i]);
        }
        return mutation.build();
    }

    private SequenceState state(Struct row) {
        return state(row.getString(0), numbers(row));
    }

    /** A sequence whose row holds these numbers, in the order of {@link #numberColumns}. */
    SequenceState state(String name, long[] numbers) {
        return layout.state(name, numbers);
    }

    private long[] numbers(Struct row) {
        long[] numbers = new long[numberColumns.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (row.isNull(i + 1)) {
                throw new Misconfigured(
                        row.getString(0),
                        "its row in table " + table.table() + " has no " + columns.get(i + 1) + "; set it");
            }
            numbers[i] = row.getLong(i + 1);
        }
        return numbers;
    }
}
