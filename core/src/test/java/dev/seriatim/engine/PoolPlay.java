// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.conservation.Listening;
import dev.seriatim.memory.PlayedStore;
import java.util.ArrayList;
import java.util.List;

/**
 * POOLED: transactions that claim numbers, roll back to savepoints, and commit or roll back, in one process or two.
 * What is committed and what is in the pool together are exactly start … counter.
 */
final class PoolPlay extends TransactionPlay {

    private final List<PooledSequence<PlayedStore.Work>> sequences = new ArrayList<>();

    PoolPlay(Schedule schedule) {
        super(schedule, definition(schedule));
        boolean plenty = store.state.definition().max() == Long.MAX_VALUE;
        plain &= plenty;
        prompt &= plenty; // otherwise, the last numbers may be held as long as their transactions last
    }

    private static SequenceDefinition definition(Schedule schedule) {
        SequenceDefinition.Builder definition = SequenceDefinition.named("s").startWith(3L);
        if (schedule.chance(30)) {
            definition.maxValue(5L + schedule.pick(80));
        }
        return definition.build();
    }

    @Override
    void open() {
        store.trouble = trouble;
        drops = !prompt && schedule.chance(50);
        openProcesses(
                "POOLED", 40, process(store, new Listening()), process -> sequences.add(process.pooled("s", store)));
    }

    @Override
    void act() {
        PooledSequence<PlayedStore.Work> sequence = sequences.get(schedule.pick(sequences.size()));
        inTransaction(work -> {
            int steps = 1 + schedule.pick(3);
            for (int i = 0; i < steps; i++) {
                draw(work, 20, () -> draw(sequence, work));
                if (schedule.chance(20)) {
                    schedule.sleep(schedule.pick(20) * MILLI, "works");
                }
            }
        });
    }

    private void draw(PooledSequence<PlayedStore.Work> sequence, PlayedStore.Work work) {
        List<Long> drawn;
        if (schedule.chance(70)) {
            drawn = List.of(inTime("next(transaction)", 0, () -> sequence.next(work)));
        } else {
            int count = 1 + schedule.pick(schedule.chance(10) ? 100 : 4);
            drawn = inTime(
                    "next(transaction, " + count + ")",
                    0,
                    () -> sequence.next(work, count).toList());
        }
        enter(work, drawn);
    }

    @Override
    void dealsAgain() {
        if (store.hanging > 2 || store.held()) {
            schedule.sleep(3600_000 * MILLI, "lets hang what hangs");
        }
        for (PooledSequence<PlayedStore.Work> sequence : sequences) {
            PlayedStore.Work work = store.begin();
            try {
                draw(sequence, work);
                work.commit();
            } catch (SequenceException.Exhausted e) {
                exhausted("the last draw");
                work.rollBack();
            } catch (RuntimeException | Error e) {
                work.rollBack();
                schedule.fault("the trouble has ended, and the next draw throws " + e);
            }
        }
    }

    /** Also returns what is in the pool, or may return to it or to the counter from an open transaction. */
    @Override
    String left() {
        return super.left() + store.uncommitted();
    }

    @Override
    void settle() {
        store.checkGapless();
    }
}
