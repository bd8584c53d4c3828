// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Key;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.simulation.StoreTimes;
import java.util.Optional;

/** A mode or a baseline to be measured. Immutable. */
public interface Contender {

    /** Returns its name, as on the command line and in files. */
    String name();

    /** Opens it for a run; called once per run. */
    Iteration iteration(Stage stage);

    /** Returns why such a run is impossible on the site; empty if it is possible. */
    default Optional<String> missingFrom(Site site, RunPlan plan) {
        return Optional.empty();
    }

    /** Returns the name with the settings that apply, unique in its experiment. */
    default String label(RunPlan plan) {
        return name();
    }

    /** Returns whether its numbers come from the sequence created for the run. */
    default boolean drawsFromTheSequence() {
        return true;
    }

    /** Returns the kind of its primary keys. */
    default Key key() {
        return Key.NUMBER;
    }

    /** Returns whether a draw that starts after another has returned gets a higher value. */
    default boolean ordered() {
        return false;
    }

    /** Returns whether no value is missing from the committed ones. */
    default boolean gapless() {
        return false;
    }

    /** Returns whether {@code --batch-size} applies. */
    default boolean hasBatchSize() {
        return false;
    }

    /** Returns whether {@code --low-water-mark} applies. */
    default boolean hasLowWaterMark() {
        return false;
    }

    /** Returns whether it reserves more values than it uses at once. */
    default boolean dealsFromBlocks() {
        return false;
    }

    /** Returns whether most draws need no store. */
    default boolean dealsFromMemory() {
        return false;
    }

    /** Returns whether a run needs many draws to settle. */
    default boolean settlesSizes() {
        return dealsFromMemory() || dealsFromBlocks();
    }

    /** Returns the maximum values per second, possibly infinite, if the application works for some seconds per value. */
    default double limitPerSecond(int threads, StoreTimes store, double application) {
        return threads / application;
    }
}
