// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.SequenceState;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The catalogue of the rows of a table. Thread-safe. */
record CellCatalog(Cells cells, OwnTransactions transactions, SpannerFailures failures) {

    private static final String ALL = "(any)";

    /** Creates a sequence, after running {@code install} if the table is missing. */
    void create(SequenceDefinition definition, Runnable install) {
        SequenceDefinition held = cells.layout().adopt(definition);
        try {
            insert(held);
        } catch (NotFound tableIsMissing) {
            install.run();
            insert(held);
        }
    }

    /** Reads a sequence. */
    SequenceState describe(String name) {
        return transactions
                .reading(name, context -> cells.read(context, name))
                .orElseThrow(() -> new NotFound(name, failures.place()));
    }

    /** Reads all sequences; empty if the table is missing. */
    List<SequenceState> list() {
        try {
            return transactions.reading(ALL, cells::readAll);
        } catch (NotFound tableIsMissing) {
            return List.of();
        }
    }

    /** Changes a definition. */
    SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return change(
                name, state -> cells.layout().redefined(state, change.apply(state.definition()), failures.place()));
    }

    /** Locks, reads, computes and writes a sequence. */
    SequenceState change(String name, UnaryOperator<SequenceState> change) {
        return transactions.retrying(name, transaction -> {
            SequenceState after = changed(cells.locked(transaction, name), change);
            transaction.buffer(cells.update(after));
            return cells.layout().state(name, cells.layout().numbers(after));
        });
    }

    private static SequenceState changed(SequenceState before, UnaryOperator<SequenceState> change) {
        try {
            return change.apply(before);
        } catch (RuntimeException e) {
            throw new Shielded(e);
        }
    }

    /** Removes a sequence. */
    void drop(String name) {
        transactions.retrying(name, transaction -> {
            SequenceState last = cells.locked(transaction, name);
            transaction.buffer(cells.delete(name));
            return last;
        });
    }

    /** Gives the unused end of a block back if nothing has been reserved since. */
    boolean giveBack(String name, Block unused, long epoch) {
        return transactions.retrying(name, transaction -> {
            Optional<SequenceState> before = cells.lock(transaction, name);
            Optional<SequenceState> back = before.flatMap(state -> state.giveBack(unused, epoch));
            if (before.isPresent() && back.isPresent()) {
                transaction.buffer(cells.move(before.get(), back.get()));
            }
            return back.isPresent();
        });
    }

    private void insert(SequenceDefinition definition) {
        String name = definition.name();
        transactions.retrying(name, transaction -> {
            if (cells.lock(transaction, name).isPresent()) {
                throw new AlreadyExists(name, failures.place());
            }
            SequenceState state = SequenceState.fresh(definition, System.currentTimeMillis());
            transaction.buffer(cells.insert(state));
            return state;
        });
    }
}
