// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.SequenceException;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;

/** A transaction that callers of an {@link InMemoryStore} share. Has no savepoints, like that of some databases. */
record InMemoryGroup(InMemoryTransaction transaction, InMemoryRow row, SequenceState counter)
        implements SharedTransaction<InMemoryTransaction> {

    @Override
    public InMemoryTransaction handle(Drawn drawn) {
        return transaction;
    }

    @Override
    public Blame blame(Throwable thrown) {
        return Blame.UNIT;
    }

    @Override
    public void commit(SequenceState after) {
        // The row is locked, so only a unit that drew outside its turn can have moved it.
        boolean untouched = row.state.equals(counter);
        if (untouched) {
            row.state = after;
        }
        transaction.end(untouched);
        if (!untouched) {
            throw new SequenceException.Misconfigured(
                    counter.definition().name(),
                    "a unit of work moved its counter without its turn, nothing was committed; draw only through the turn");
        }
    }

    @Override
    public void rollback() {
        transaction.end(false);
    }
}
