// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import java.sql.Connection;
import org.springframework.jdbc.datasource.ConnectionHolder;

/**
 * Holds the connection of a shared transaction for one unit. To transaction managers of its data source it is an
 * existing transaction, which they join and never end.
 */
final class SharedConnectionHolder extends ConnectionHolder {

    private final GaplessNumbers numbers;
    private final Turn<Connection> turn;

    SharedConnectionHolder(GaplessNumbers numbers, Turn<Connection> turn) {
        super(turn.transaction(), true);
        this.numbers = numbers;
        this.turn = turn;
        // Without the mark as synchronized, JpaTransactionManager refuses to begin its own transaction beside this one.
    }

    Turn<Connection> turn() {
        return turn;
    }

    /** Returns whether this unit's turn deals these numbers; other sequences are drawn on its connection. */
    boolean deals(GaplessNumbers drawn) {
        if (drawn != numbers && drawn.name().equals(numbers.name())) {
            throw new SequenceException.Misconfigured(drawn.name(), """
                    this unit of work deals its numbers through another GaplessNumbers; use the one whose grouped() it \
                    runs in""");
        }
        return drawn == numbers;
    }
}
