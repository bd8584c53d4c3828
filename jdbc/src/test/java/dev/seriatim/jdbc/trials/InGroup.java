// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.GroupedSequence;
import dev.seriatim.Turn;
import java.sql.Connection;
import java.sql.SQLException;

/** Draws and stores each number in a unit of work that shares its transaction with units of other threads. */
record InGroup(GroupedSequence<Connection> sequence, StoredNumbers ledger) implements Draws {

    static Draws open(ApplicationResources application, TrialMode mode) {
        return new InGroup(application.sequences().grouped(mode.name(), application.store()), mode.ledger());
    }

    @Override
    public long next() throws SQLException {
        return sequence.commit(this::drawAndStore);
    }

    private long drawAndStore(Turn<Connection> turn) throws SQLException {
        long value = turn.next();
        ledger.insert(turn.transaction(), value);
        return value;
    }
}
