// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import dev.seriatim.jdbc.inspect.InspectionFault.Level;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What follows from an inventory by the shortest rules: whether the facts are there that the rules of the command need. */
public final class FaultsInFacts {

    private static final BigInteger EXACT = BigInteger.TWO.pow(53);

    private final Inventory inventory;
    private final Set<ObjectName> tables;
    private final List<String> found = new ArrayList<>();

    private FaultsInFacts(Inventory inventory, Set<ObjectName> tables) {
        this.inventory = inventory;
        this.tables = tables;
    }

    /** Returns the faults, each followed by its subject. */
    public static List<String> of(Inventory inventory, Set<ObjectName> tables) {
        FaultsInFacts faults = new FaultsInFacts(inventory, tables);
        inventory.findings().stream()
                .filter(finding -> finding.fault().level() != Level.NOTE)
                .forEach(finding -> faults.add(finding.fault(), finding.subject()));
        inventory.sequences().forEach(faults::ofSequence);
        faults.twice();
        return faults.found;
    }

    /** Returns the tables that Hibernate's sequences would be named after. */
    public static Set<ObjectName> tables(Inventory inventory) {
        Set<ObjectName> tables = new HashSet<>();
        for (NativeSequence sequence : inventory.sequences()) {
            if (sequence.name().name().endsWith("_seq")) {
                tables.add(table(sequence));
            }
        }
        return tables;
    }

    private static ObjectName table(NativeSequence sequence) {
        return new ObjectName(sequence.name().schema(), sequence.name().name().replaceFirst("_seq$", ""));
    }

    private void ofSequence(NativeSequence sequence) {
        List<NumberedColumn> columns = inventory.columns().stream()
                .filter(column -> column.sequence().equals(Optional.of(sequence.name())))
                .toList();
        String subject = sequence.ofIdentity()
                ? sequence.owner().orElseThrow().toString()
                : sequence.name().toString();
        boolean used = sequence.owner().isPresent() || !columns.isEmpty();
        if (sequence.cycle() && used) {
            add(InspectionFault.CYCLES, subject);
        }
        if (sequence.cache() > 1) {
            add(InspectionFault.CACHE_REORDERS, subject);
        }
        boolean one = sequence.increment().equals(BigInteger.ONE);
        if (!one && (sequence.name().name().equals("hibernate_sequence") || tables.contains(table(sequence)))) {
            add(InspectionFault.INCREMENT_BESIDE_HIBERNATE, subject);
        }
        if (sequence.owner().isEmpty() && columns.size() == 1) {
            add(InspectionFault.UNOWNED, columns.get(0).path());
        }
        if (sequence.usedUp()) {
            add(InspectionFault.EXHAUSTED, subject);
            return;
        }
        sequence.next().ifPresent(next -> ofNext(sequence, subject, columns, next));
    }

    private void ofNext(NativeSequence sequence, String subject, List<NumberedColumn> columns, BigInteger next) {
        boolean up = sequence.increment().signum() > 0;
        BigInteger end = (up ? sequence.range().highest() : sequence.range().lowest()).abs();
        if (!sequence.cycle() && isMost(up ? next : next.negate(), end)) {
            add(InspectionFault.RUNNING_OUT, subject);
        }
        if (end.compareTo(EXACT) > 0 && isMost(next, EXACT) && next.compareTo(EXACT.add(EXACT.shiftRight(2))) < 0) {
            add(InspectionFault.BEYOND_EXACT_DOUBLES, subject);
        }
        for (NumberedColumn column : columns) {
            Optional<BigInteger> held = up ? column.highest() : column.lowest();
            if (held.isPresent() && (up ? next.compareTo(held.get()) <= 0 : next.compareTo(held.get()) >= 0)) {
                add(InspectionFault.BEHIND, column.path());
            }
            BigInteger last = (up ? column.range().highest() : column.range().lowest()).abs();
            if (last.compareTo(end) < 0) {
                if (next.abs().compareTo(last) > 0) {
                    add(InspectionFault.EXHAUSTED, column.path());
                } else if (isMost(next, last)) {
                    add(InspectionFault.TYPE_RUNNING_OUT, column.path());
                }
            }
        }
    }

    private static boolean isMost(BigInteger next, BigInteger end) {
        return next.signum() > 0 && next.multiply(BigInteger.TEN).compareTo(end.multiply(BigInteger.valueOf(8))) >= 0;
    }

    private void twice() {
        Map<String, Set<ObjectName>> generators = new HashMap<>();
        for (NumberedColumn column : inventory.columns()) {
            column.sequence()
                    .ifPresent(name -> generators
                            .computeIfAbsent(column.path(), none -> new HashSet<>())
                            .add(name));
        }
        for (NativeSequence sequence : inventory.sequences()) {
            sequence.owner()
                    .ifPresent(owner -> generators
                            .computeIfAbsent(owner.toString(), none -> new HashSet<>())
                            .add(sequence.name()));
        }
        generators.forEach((path, names) -> {
            if (names.size() > 1) {
                add(InspectionFault.DEFINED_TWICE, path);
            }
        });
    }

    private void add(InspectionFault fault, String subject) {
        found.add(fault.code() + " " + subject);
    }
}
