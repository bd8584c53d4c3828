// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

/** Samples the reserved values of all instances. */
final class InHandTally {

    /** The highest value dealt. */
    private long highestDealt;

    private long looks;
    private long instancesSeen;
    private double inHandSum;
    private long inHandMost;
    private double spreadSum;
    private long spreadMost;
    private long longestWait;

    /** Records a dealt value. */
    void dealt(long value) {
        highestDealt = Math.max(highestDealt, value);
    }

    /** Samples all instances at one moment. */
    void look(Iterable<? extends Instance> instances, long now) {
        long lowest = Long.MAX_VALUE;
        for (Instance instance : instances) {
            Instance.Hand hand = instance.hand(now);
            instancesSeen++;
            inHandSum += hand.count();
            inHandMost = Math.max(inHandMost, hand.count());
            lowest = Math.min(lowest, hand.lowest());
            longestWait = Math.max(longestWait, now - instance.waitingSince(now));
            dealt(hand.dealt());
        }
        long spread = Math.max(0, highestDealt - lowest);
        looks++;
        spreadSum += spread;
        spreadMost = Math.max(spreadMost, spread);
    }

    long longestWaitNanos() {
        return longestWait;
    }

    SimulationResult.Spread lostInCrash() {
        return new SimulationResult.Spread(inHandSum / Math.max(1, instancesSeen), inHandMost);
    }

    SimulationResult.Spread inFlight() {
        return new SimulationResult.Spread(spreadSum / Math.max(1, looks), spreadMost);
    }
}
