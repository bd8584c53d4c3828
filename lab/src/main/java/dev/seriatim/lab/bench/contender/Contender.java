// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.lab.bench.load.Iteration;
import dev.seriatim.lab.bench.site.Key;
import dev.seriatim.lab.bench.site.Site;
import java.util.Optional;

/** Something that deals numbers and can be measured. Immutable. */
public interface Contender {

    /** Its name, as on the command line and in files. */
    String name();

    /** Opens its numbers for a run; to be called once per run. */
    Iteration iteration(Stage stage);

    /** Why it cannot take part in such a run there; empty when it can. */
    default Optional<String> missingFrom(Site site, RunPlan plan) {
        return Optional.empty();
    }

    /** The name with the settings of a run that apply, which sets it apart from others of the same experiment. */
    default String label(RunPlan plan) {
        return name();
    }

    /** Whether its numbers come from the sequence that is made for the run. */
    default boolean drawsFromTheSequence() {
        return true;
    }

    /** The primary keys of the rows that it fills. */
    default Key key() {
        return Key.NUMBER;
    }

    /** Whether a draw that began after another had returned gets the higher value. */
    default boolean ordered() {
        return false;
    }

    /** Whether no value is missing from what was committed. */
    default boolean gapless() {
        return false;
    }

    /** Whether {@code --batch-size} applies. */
    default boolean hasBatchSize() {
        return false;
    }

    /** Whether {@code --low-water-mark} applies. */
    default boolean hasLowWaterMark() {
        return false;
    }

    /** Whether more is reserved than is used at once. */
    default boolean dealsFromBlocks() {
        return false;
    }

    /** Whether most draws touch no store, so that many are needed until a run has settled. */
    default boolean dealsFromMemory() {
        return false;
    }

    /** Values per second that it could reach at best, perhaps infinite; times in seconds. */
    default double limitPerSecond(int threads, double reservation, double application) {
        return threads / application;
    }
}
