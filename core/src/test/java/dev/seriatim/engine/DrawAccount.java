// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Block;
import dev.seriatim.SequenceListener;
import dev.seriatim.conservation.Ledger;

/**
 * Accounts for the values of one short execution, and checks that the draws of one instance rise: no value is at or
 * below one that another draw had returned before it started. Like {@link Ledger}, but with plain arrays, because a
 * model checker examines each step. Thread-safe.
 */
public final class DrawAccount implements SequenceListener {

    private static final int VALUES = 1024;

    private final byte[] open = new byte[VALUES];
    private String order = "";
    private long highest = Long.MIN_VALUE;

    public synchronized void reserved(Block block) {
        for (long i = 0; i < block.count(); i++) {
            open[(int) block.get(i)]++;
        }
    }

    /** Starts a draw; returns the highest value returned so far. */
    public synchronized long begin() {
        return highest;
    }

    public synchronized void end(long begun, long value) {
        if (value <= begun) {
            order += value + " was drawn after " + begun + "; ";
        }
        highest = Math.max(highest, value);
        open[(int) value]--;
    }

    public synchronized void dealt(Block block) {
        for (long i = 0; i < block.count(); i++) {
            open[(int) block.get(i)]--;
        }
    }

    @Override
    public void lost(String sequence, Block values) {
        dealt(values);
    }

    @Override
    public void givenBack(String sequence, Block values) {
        dealt(values);
    }

    public synchronized void check() {
        String faults = order;
        for (int value = 0; value < VALUES; value++) {
            if (open[value] != 0) {
                faults += value + (open[value] > 0 ? " is missing; " : " is accounted for twice; ");
            }
        }
        if (!faults.isEmpty()) {
            throw new AssertionError(faults);
        }
    }
}
