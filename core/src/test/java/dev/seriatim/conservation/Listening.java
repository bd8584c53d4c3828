// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener that keeps the ledger, and sometimes fails. */
final class Listening implements SequenceListener {

    /** Without a stack trace, since each is logged. */
    private static final class OwnFault extends Error {
        private static final long serialVersionUID = 1L;

        OwnFault() {
            super("the listener's own fault, as this test wants it", null, false, false);
        }
    }

    private final Ledger ledger;
    private final Chance chance;
    private final AtomicInteger faults;

    Listening(Ledger ledger, Chance chance) {
        this.ledger = ledger;
        this.chance = chance;
        faults = new AtomicInteger(chance.oneIn(20) ? 1 : 0); // few, since each is logged
    }

    @Override
    public void reserved(String sequence, Block block, Duration took) {
        fail();
    }

    @Override
    public void waited(String sequence, Duration howLong) {
        fail();
    }

    @Override
    public void failed(String sequence, SequenceException failure) {
        fail();
    }

    @Override
    public void lost(String sequence, Block values) {
        ledger.lost(sequence, values);
        fail();
    }

    @Override
    public void outcomeUnknown(String sequence, long count) {
        fail();
    }

    @Override
    public void givenBack(String sequence, Block values) {
        ledger.givenBack(sequence, values);
        fail();
    }

    @Override
    public void nearlyExhausted(String sequence, BigInteger valuesLeft) {
        fail();
    }

    private void fail() {
        if (chance.strikes() && faults.getAndDecrement() > 0) {
            throw new OwnFault();
        }
    }
}
