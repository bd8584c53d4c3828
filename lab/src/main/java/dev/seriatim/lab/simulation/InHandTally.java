// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

/** What is in hand over all instances, looked at now and then. */
final class InHandTally {

    /** The highest value that any caller has got. */
    private long highestDealt;

    private long looks;
    private long instancesSeen;
    private double inHandSum;
    private long inHandMost;
    private double spreadSum;
    private long spreadMost;

    /** Somebody has got a value. */
    void dealt(long value) {
        highestDealt = Math.max(highestDealt, value);
    }

    /** Looks at all instances at one moment. */
    void look(Iterable<? extends Instance> instances, long now) {
        long lowest = Long.MAX_VALUE;
        for (Instance instance : instances) {
            Instance.Hand hand = instance.hand(now);
            instancesSeen++;
            inHandSum += hand.count();
            inHandMost = Math.max(inHandMost, hand.count());
            lowest = Math.min(lowest, hand.lowest());
            dealt(hand.dealt());
        }
        long spread = Math.max(0, highestDealt - lowest);
        looks++;
        spreadSum += spread;
        spreadMost = Math.max(spreadMost, spread);
    }

    SimulationResult.Spread lostInCrash() {
        return new SimulationResult.Spread(inHandSum / Math.max(1, instancesSeen), inHandMost);
    }

    SimulationResult.Spread inFlight() {
        return new SimulationResult.Spread(spreadSum / Math.max(1, looks), spreadMost);
    }
}
