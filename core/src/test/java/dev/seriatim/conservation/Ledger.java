// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.Block;
import dev.seriatim.SequenceListener;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/** What has become of every value: reserved values count up, those dealt, lost or given back count down. Thread-safe. */
public final class Ledger implements SequenceListener {

    private record Value(String sequence, long value) {}

    private final Map<Value, Integer> open = new HashMap<>();

    /** Enters a block that a store has answered. */
    public synchronized void reserved(String sequence, Block block) {
        block.values().forEach(value -> open.merge(new Value(sequence, value), 1, Integer::sum));
    }

    /** Strikes values out that a caller has got. */
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

    /** The first values whose account does not balance; empty when all do. */
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
