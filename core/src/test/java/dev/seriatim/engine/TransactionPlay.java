// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.memory.PlayedStore;
import java.util.List;
import java.util.function.Consumer;

/** A play in the callers' own transactions: they draw, roll back to savepoints, and commit or roll back. */
abstract class TransactionPlay extends Play {

    TransactionPlay(Schedule schedule, SequenceDefinition definition) {
        super(schedule, definition);
    }

    /** Runs one transaction with these draws. */
    final void inTransaction(Consumer<PlayedStore.Work> draws) {
        PlayedStore.Work work = store.begin();
        boolean kept = false;
        try {
            draws.accept(work);
            kept = schedule.chance(75);
        } catch (SequenceException | IllegalStateException e) {
            failed("a draw", e);
        } catch (RuntimeException | Error e) {
            schedule.note("a draw throws " + e); // the store's own
        } finally {
            schedule.note(kept ? "commits" : "rolls back");
            if (kept) {
                work.commit();
            } else {
                work.rollBack();
            }
        }
    }

    /** Draws; with the given percentage, sets a savepoint first, to which it may roll back. */
    final void draw(PlayedStore.Work work, int savepoints, Runnable draw) {
        if (schedule.chance(savepoints)) {
            Runnable savepoint = work.savepoint();
            draw.run();
            if (schedule.chance(60)) {
                schedule.note("goes back to a savepoint");
                savepoint.run();
            }
        } else {
            draw.run();
        }
    }

    /** Stores what has been drawn. */
    final void enter(PlayedStore.Work work, List<Long> drawn) {
        if (schedule.tracing()) {
            schedule.note("has drawn " + drawn);
        }
        drawn.forEach(number -> work.enter(number, 0));
    }
}
