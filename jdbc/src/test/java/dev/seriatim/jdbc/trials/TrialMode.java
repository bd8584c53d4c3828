// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static dev.seriatim.jdbc.trials.TrialGuarantee.GAPLESS;
import static dev.seriatim.jdbc.trials.TrialGuarantee.ORDERED;

import dev.seriatim.Allocation;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;

/** The modes under trial, each with what it guarantees and how to draw in it: a new mode is one line here. */
@SuppressWarnings("ImmutableEnumChecker") // functions and a set that is never modified
enum TrialMode {
    SYNC(InTransaction::open, ORDERED, GAPLESS),
    GROUPED(InGroup::open, ORDERED, GAPLESS),
    POOLED(InTransaction::pooled, GAPLESS) {
        @Override
        boolean offeredBy(JdbcStore store) {
            try (StoreSequences sequences = StoreSequences.of(store)) {
                sequences.pooled(name(), store).close();
                return true;
            } catch (SequenceException.Misconfigured e) {
                return false;
            }
        }

        @Override
        StoredNumbers.State state(Database database, JdbcStore store) throws SQLException {
            return ledger().stateWithPool(database, name());
        }
    },
    ASYNC(outside(Allocation.async()), ORDERED),
    COMBINED(outside(Allocation.combined()), ORDERED),
    CONFIRMED(outside(Allocation.confirmed()), ORDERED) {
        @Override
        boolean offeredBy(JdbcStore store) {
            return store.whyNotConfirmed().isEmpty();
        }
    },
    BATCH(outside(Allocation.batch(10))),
    ASYNC_BATCH(outside(Allocation.asyncBatch(10, 5))),
    ADAPTIVE(outside(Allocation.adaptive()));

    /** Opens the sequence named after the mode. */
    @FunctionalInterface
    interface Opening {
        Draws open(ApplicationResources application, TrialMode mode);
    }

    private final Opening opening;
    private final Set<TrialGuarantee> promises;

    TrialMode(Opening opening, TrialGuarantee... promises) {
        this.opening = opening;
        this.promises = Set.of(promises);
    }

    Draws open(ApplicationResources application) {
        return opening.open(application, this);
    }

    boolean offeredBy(JdbcStore store) {
        return true;
    }

    boolean promises(TrialGuarantee promise) {
        return promises.contains(promise);
    }

    /** Returns where the numbers drawn in a gapless mode are stored, in the transaction that drew them. */
    StoredNumbers ledger() {
        return new StoredNumbers("drawn_" + name().toLowerCase(Locale.ROOT));
    }

    /** Returns the state of a gapless mode's ledger. */
    StoredNumbers.State state(Database database, JdbcStore store) throws SQLException {
        return ledger().state(database, store, name());
    }

    private static Opening outside(Allocation allocation) {
        return (application, mode) -> application.sequences().open(mode.name(), allocation)::next;
    }
}
