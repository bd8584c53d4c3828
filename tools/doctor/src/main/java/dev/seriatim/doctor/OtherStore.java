// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.LibrarySequence;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnReader;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A store that is no SQL database. Only this library's sequences are read, and the columns that were named.
 *
 * @param url may hold secrets
 * @param columns the columns by their sequences
 */
record OtherStore(String url, Map<String, ColumnName> columns) implements Patient {

    @Override
    public Read read() {
        try (OpenStore store = StoreOption.open(url)) {
            List<LibrarySequence> counters = new ArrayList<>();
            List<SequenceState> states = store.list();
            checkNamed(store, states);
            for (SequenceState state : states) {
                counters.add(counter(store, state));
            }
            return new Read(
                    new Inventory(store.toString(), "", List.of(), List.of(), counters, List.of(), List.of()),
                    Set.of(),
                    Optional.empty());
        }
    }

    private void checkNamed(OpenStore store, List<SequenceState> states) {
        for (String name : columns.keySet()) {
            if (states.stream().noneMatch(state -> state.definition().name().equals(name))) {
                throw new SequenceException.Misconfigured(
                        "--column: " + store + " has no sequence " + OneLine.quoted(name) + "; correct its name");
            }
        }
    }

    private LibrarySequence counter(OpenStore store, SequenceState state) {
        ColumnName column = columns.get(state.definition().name());
        if (column == null) {
            return new LibrarySequence(state, Optional.empty(), Optional.empty(), Optional.empty());
        }
        if (!(store instanceof ColumnReader reader)) {
            throw new SequenceException.Misconfigured(
                    "--column: " + store + " has no tables beside the sequences; leave it out");
        }
        ColumnPath path = new ColumnPath(new ObjectName(column.schema().orElse(""), column.table()), column.column());
        return new LibrarySequence(
                state, Optional.of(path), number(reader.extreme(column, false)), number(reader.extreme(column, true)));
    }

    private static Optional<BigInteger> number(OptionalLong value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(BigInteger.valueOf(value.getAsLong()));
    }

    @Override
    public void mend(Remedy remedy) {
        throw new IllegalStateException("has no statement that raises: " + remedy);
    }
}
