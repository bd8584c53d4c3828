// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.NativeSequence;
import dev.seriatim.doctor.inventory.NumberedColumn;
import dev.seriatim.doctor.inventory.ObjectName;
import dev.seriatim.doctor.inventory.Remedies;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The facts that rules look at. Immutable.
 *
 * @param sources everything that generates numbers
 */
public record Facts(Inventory inventory, List<RuleSource> sources, CounterCommands commands, Forecast forecast) {

    /** Says when numbers run out. */
    @FunctionalInterface
    public interface Forecast {

        /** A forecast without a history, which says nothing. */
        Forecast NONE = (source, last) -> Optional.empty();

        /**
         * Returns the day on which a source has generated its {@code last} number, at its pace so far.
         *
         * @return empty if its pace is not known, it stands still, or that is more than 10,000 years away
         */
        Optional<LocalDate> reaches(RuleSource source, BigInteger last);
    }

    /** Returns the facts of an inventory. */
    public static Facts of(Inventory inventory, CounterCommands commands, Forecast forecast) {
        Map<ObjectName, List<NumberedColumn>> drawing = new HashMap<>();
        for (NumberedColumn column : inventory.columns()) {
            column.sequence()
                    .ifPresent(name -> drawing.computeIfAbsent(name, none -> new ArrayList<>())
                            .add(column));
        }
        List<RuleSource> sources = new ArrayList<>();
        for (NativeSequence sequence : inventory.sequences()) {
            sources.add(RuleSource.of(sequence, drawing.getOrDefault(sequence.name(), List.of())));
        }
        inventory.columns().stream()
                .filter(column -> column.sequence().isEmpty())
                .forEach(column -> sources.add(RuleSource.of(column)));
        inventory.counters().forEach(counter -> sources.add(RuleSource.of(counter)));
        return new Facts(inventory, sources, commands, forecast);
    }

    Optional<Remedies> remedies() {
        return inventory.remedies();
    }
}
