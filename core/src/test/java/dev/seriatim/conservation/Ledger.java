// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.Block;
import dev.seriatim.SequenceListener;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/** Accounts for every value: reserved values count up; dealt, lost or given-back values count down. Thread-safe. */
public final class Ledger implements SequenceListener {

    private record Value(String sequence, long value) {}

    private final Map<Value, Integer> open = new HashMap<>();

    /** Enters a block that a store has returned. */
    public synchronized void reserved(String sequence, Block block) {
        block.values().forEach(value -> open.merge(new Value(sequence, value), 1, Integer::sum));
    }

    /** Removes values that a caller has received. */
    public synchronized void dealt(String sequence, Block block) {
        block.values().forEach(value -> open.merge(new Value(sequence, value), -1, Integer::sum));
    }

    @Override
    public void lost(String sequence, Block values) {
        dealt(sequence, values);
    }

    @Override
    public void givenBack(String sequence, Block values) {
        dealt(sequence, values);
    }

    /** Returns the first values whose account does not balance; empty if all do. */
    public synchronized String fault() {
        open.values().removeIf(count -> count == 0);
        StringJoiner faults = new StringJoiner(", ");
        open.entrySet().stream()
                .limit(20)
                .forEach(entry -> faults.add(entry.getKey().value() + " of '"
                        + entry.getKey().sequence()
                        + (entry.getValue() > 0 ? "' is missing" : "' is accounted for twice")));
        return (open.size() > 20 ? open.size() + " values: " : "") + faults;
    }
}
