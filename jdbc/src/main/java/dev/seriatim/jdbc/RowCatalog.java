// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceState;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The catalogue over the rows of the table: every change locks the row, computes and writes it in one transaction.
 *
 * <p>Immutable and thread-safe.
 */
record RowCatalog(
        Layout layout, CounterRows rows, Draw draw, Transactions transactions, Failures failures, InstantSource clock) {

    /** Adds a sequence, after running {@code install} where the table is missing. */
    void create(SequenceDefinition definition, Runnable install) {
        SequenceDefinition held = layout.adopt(definition);
        try {
            insert(held);
        } catch (NotFound tableIsMissing) {
            install.run();
            insert(held);
        }
    }

    /** Reads one. */
    SequenceState describe(String name) {
        return transactions
                .reading(name, connection -> rows.read(connection, name))
                .orElseThrow(() -> new NotFound(name, failures.place()));
    }

    /** Reads all; none when the table is missing. */
    List<SequenceState> list() {
        return transactions.reading(Transactions.UNNAMED, rows::readAll, (fault, e) -> {
            if (fault == Fault.MISSING_TABLE) {
                return List.of();
            }
            throw e;
        });
    }

    /** Changes a definition. */
    SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return change(name, state -> {
            SequenceDefinition changed = change.apply(state.definition());
            if (!layout.holdsDefinition() && !changed.equals(state.definition())) {
                throw new Misconfigured(
                        name,
                        "its row in " + failures.place()
                                + " holds the counter alone; change what its sequences are where the store is opened");
            }
            return state.redefined(changed);
        });
    }

    /** Removes one. */
    void drop(String name) {
        transactions.retrying(name, connection -> {
            draw.saw(draw.locked(connection, name));
            rows.delete(connection, name);
            return name;
        });
    }

    /** Locks, reads, computes and writes one. */
    SequenceState change(String name, UnaryOperator<SequenceState> change) {
        return transactions.retrying(name, connection -> {
            SequenceState after = change.apply(draw.locked(connection, name));
            rows.write(connection, after);
            return draw.saw(after);
        });
    }

    private void insert(SequenceDefinition definition) {
        String name = definition.name();
        transactions.retrying(name, connection -> {
            // A plain table may have no key that would refuse a second row.
            if (rows.lock(connection, name).isPresent()) {
                throw new AlreadyExists(name, failures.place());
            }
            SequenceState state = SequenceState.fresh(definition, draw.epochFrom(name, clock.millis()));
            rows.insert(connection, state);
            return state;
        });
    }
}
