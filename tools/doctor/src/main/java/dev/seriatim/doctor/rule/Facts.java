// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.ObjectName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What was read from a database, as rules look at it. Immutable. */
public final class Facts {

    private final Inventory inventory;
    private final Set<ObjectName> tables;
    private final Optional<EngineInspection> engine;
    private final CounterCommands commands;
    private final Forecast forecast;
    private final Map<ObjectName, NativeSequence> sequences = new LinkedHashMap<>();
    private final Map<ObjectName, List<NumberedColumn>> drawing = new LinkedHashMap<>();
    private final List<RuleSource> sources = new ArrayList<>();

    /**
     * Looks at what was read.
     *
     * @param tables names of tables beside the sequences, at least those that {@link HibernateNames} asks for
     * @param engine what knows the engine's statements; empty if the store has no native generators
     */
    public Facts(
            Inventory inventory,
            Set<ObjectName> tables,
            Optional<EngineInspection> engine,
            CounterCommands commands,
            Forecast forecast) {
        this.inventory = inventory;
        this.tables = Set.copyOf(tables);
        this.engine = engine;
        this.commands = commands;
        this.forecast = forecast;
        inventory.sequences().forEach(sequence -> sequences.put(sequence.name(), sequence));
        for (NumberedColumn column : inventory.columns()) {
            column.sequence()
                    .ifPresent(name -> drawing.computeIfAbsent(name, none -> new ArrayList<>())
                            .add(column));
        }
        inventory.sequences().forEach(sequence -> sources.add(RuleSource.of(sequence, drawingFrom(sequence))));
        inventory.columns().stream()
                .filter(column -> column.sequence().isEmpty())
                .forEach(column -> sources.add(RuleSource.of(column)));
        inventory.counters().forEach(counter -> sources.add(RuleSource.of(counter)));
    }

    public Inventory inventory() {
        return inventory;
    }

    /** Returns everything that generates numbers. */
    public List<RuleSource> sources() {
        return List.copyOf(sources);
    }

    Set<ObjectName> tables() {
        return tables;
    }

    Optional<EngineInspection> engine() {
        return engine;
    }

    CounterCommands commands() {
        return commands;
    }

    Forecast forecast() {
        return forecast;
    }

    /** Returns the sequence that a column draws from; empty if there is none, or it was not read. */
    Optional<NativeSequence> sequenceOf(NumberedColumn column) {
        return column.sequence().map(sequences::get);
    }

    List<NumberedColumn> drawingFrom(NativeSequence sequence) {
        return List.copyOf(drawing.getOrDefault(sequence.name(), List.of()));
    }
}
