// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Block;
import dev.seriatim.SequenceListener;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens to the reserved numbers of one generator. Thread-safe. */
final class ReservedNumbers implements SequenceListener {

    private final LongAdder reserved = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder givenBack = new LongAdder();
    private final LongAdder unknown = new LongAdder();

    @Override
    public void reserved(String sequence, Block block, Duration took) {
        reserved.add(block.count());
    }

    @Override
    public void lost(String sequence, Block values) {
        lost.add(values.count());
    }

    @Override
    public void givenBack(String sequence, Block values) {
        givenBack.add(values.count());
    }

    @Override
    public void outcomeUnknown(String sequence, long count) {
        unknown.add(count);
    }

    WorkerAccounts.Account with(long dealt) {
        return new WorkerAccounts.Account(reserved.sum(), dealt, lost.sum(), givenBack.sum(), unknown.sum());
    }
}
