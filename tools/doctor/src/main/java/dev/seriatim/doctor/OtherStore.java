// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.option.StoreOption;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.doctor.inventory.ColumnPath;
import dev.seriatim.doctor.inventory.Extremes;
import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.LibrarySequence;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnReader;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads this library's sequences in a store that is no SQL database, and the columns that the user named. Stateless. */
final class OtherStore {

    private OtherStore() {}

    /**
     * Reads the store.
     *
     * @param url may hold secrets
     * @param columns the columns by their sequences
     */
    static Inventory read(String url, Map<String, ColumnName> columns) {
        try (OpenStore store = StoreOption.open(url)) {
            List<SequenceState> states = store.list();
            for (String name : columns.keySet()) {
                if (states.stream().noneMatch(state -> state.definition().name().equals(name))) {
                    throw new SequenceException.Misconfigured(
                            "--column: " + store + " has no sequence " + OneLine.quoted(name) + "; correct its name");
                }
            }
            List<LibrarySequence> counters = states.stream()
                    .map(state -> Optional.ofNullable(
                                    columns.get(state.definition().name()))
                            .map(column -> counter(store, state, column))
                            .orElseGet(() -> LibrarySequence.alone(state)))
                    .toList();
            return Inventory.of(store.toString(), "", counters, List.of());
        }
    }

    private static LibrarySequence counter(OpenStore store, SequenceState state, ColumnName column) {
        if (!(store instanceof ColumnReader reader)) {
            throw new SequenceException.Misconfigured(
                    "--column: " + store + " has no tables beside the sequences; leave it out");
        }
        Extremes extremes = new Extremes(number(reader.extreme(column, false)), number(reader.extreme(column, true)));
        return new LibrarySequence(state, Optional.of(ColumnPath.of(column)), extremes);
    }

    private static Optional<BigInteger> number(OptionalLong value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(BigInteger.valueOf(value.getAsLong()));
    }
}
