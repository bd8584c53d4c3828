// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.Allocation;
import dev.seriatim.OpenStore;
import dev.seriatim.Sequences;
import java.util.function.LongSupplier;

/**
 * Where a run takes place.
 *
 * @param store the store under test
 * @param sequences the sequences of that store, of this run alone
 * @param sequence the sequence made for this run
 * @param plan what is run
 * @param application what is done with each number
 */
record Stage(OpenStore store, Sequences sequences, String sequence, RunPlan plan, Application application) {

    /** Iterations that draw from the run's sequence, opened in a mode. */
    Iteration drawing(Allocation allocation) {
        return drawing(sequences.open(sequence, allocation)::next);
    }

    /** Iterations that draw from anything. */
    Iteration drawing(LongSupplier numbers) {
        return new DrawThenWork(numbers, application, !plan.mode().ordered());
    }
}
