// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

/** Size and mark as they were asked for. Immutable. */
record FixedSizes(long size, long lowWaterMark) implements Sizes {

    @Override
    public int maxFlights() {
        return 1;
    }

    @Override
    public void sent(long now, long dealt) {}

    @Override
    public void arrived(long now, long dealt, long taken, long tookNanos, boolean ranDry) {}
}
