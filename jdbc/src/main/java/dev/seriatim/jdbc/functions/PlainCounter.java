// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.functions;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.SequenceTable;

/**
 * How the counter of a plain table maps to values: its distance from the last value drawn, and the range of counters
 * that leave a value.
 *
 * @param ahead counter minus the last value drawn
 * @param low lowest counter that leaves a value
 * @param high highest counter that leaves a value
 * @param beyond condition on a counter past the last value, without its left side
 */
record PlainCounter(long ahead, long low, long high, String beyond) {

    static PlainCounter of(SequenceTable table) {
        SequenceDefinition d = table.template();
        // The table has checked that none of this overflows.
        long behind = table.kind() == SequenceTable.Kind.LAST_VALUE ? d.increment() : 0;
        long low = d.min() - behind;
        long high = d.max() - behind;
        return new PlainCounter(d.increment() - behind, low, high, d.ascending() ? "> " + high : "< " + low);
    }
}
