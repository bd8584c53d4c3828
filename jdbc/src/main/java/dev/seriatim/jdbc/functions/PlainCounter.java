// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.functions;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.table.SequenceTable;

/**
 * What the counter of a plain table says: how far it is ahead of the value drawn last, and between which counters a value
 * is left.
 *
 * @param ahead what has to be taken from the counter to get the value drawn last
 * @param low the lowest counter that leaves a value
 * @param high the highest counter that leaves a value
 * @param beyond the condition on a counter behind the last value, without its left side
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
