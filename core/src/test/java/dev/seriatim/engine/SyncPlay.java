// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.memory.PlayedStore;
import dev.seriatim.store.TransactionalSequence;
import java.util.List;
import java.util.stream.LongStream;

/**
 * SYNC: transactions that draw through {@link TransactionalSequence}, directly or through {@code within}, roll back to
 * savepoints, and commit or roll back. What is committed is exactly start … counter, in the order of the commits.
 */
final class SyncPlay extends TransactionPlay {

    private final TransactionalSequence<PlayedStore.Work> sequence;

    SyncPlay(Schedule schedule) {
        super(
                schedule,
                SequenceDefinition.named("s")
                        .cache(1 + schedule.pick(6))
                        .startWith(3L)
                        .build());
        sequence = TransactionalSequence.of(store, "s").patience(patience);
    }

    @Override
    void open() {
        store.trouble = trouble / 3;
        plain = false; // a caller may wait too long for the row
        schedule.note("SYNC, patience " + patience + ", trouble " + store.trouble + " %");
    }

    @Override
    void act() {
        inTransaction(work -> {
            Sequence within = sequence.within(work);
            int steps = 1 + schedule.pick(4);
            for (int i = 0; i < steps; i++) {
                draw(work, 30, () -> draw(work, within));
                schedule.offer("works");
            }
            if (schedule.chance(80)) {
                within.close();
            }
        });
    }

    private void draw(PlayedStore.Work work, Sequence within) {
        int count = 1 + schedule.pick(3);
        List<Long> drawn = switch (schedule.pick(4)) {
            case 0 -> List.of(inTime("next(transaction)", 0, () -> sequence.next(work)));
            case 1 -> boxed(inTime("next(transaction, " + count + ")", 0, () -> sequence.next(work, count)));
            case 2 -> boxed(inTime("within.next(" + count + ")", 0, () -> within.next(count)));
            default -> List.of(inTime("within.next()", 0, () -> within.next()));
        };
        enter(work, drawn);
    }

    private static List<Long> boxed(Block block) {
        LongStream values = block.values();
        return values.boxed().toList();
    }

    @Override
    void dealsAgain() {
        PlayedStore.Work work = store.begin();
        work.enter(sequence.next(work), 0);
        work.commit();
    }

    @Override
    void settle() {
        store.checkGapless();
        store.checkRising();
    }
}
