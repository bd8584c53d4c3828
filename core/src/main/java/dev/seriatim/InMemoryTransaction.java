// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.LinkedHashMap;
import java.util.Map;

/** A transaction of an {@link InMemoryStore}; see {@link InMemoryStore#inTransaction}. Not thread-safe. */
public final class InMemoryTransaction {

    /** The rows it holds, and what they were before. */
    final Map<InMemoryRow, SequenceState> before = new LinkedHashMap<>();

    boolean ended;

    InMemoryTransaction() {}
}
