// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** An iteration of a client: draws numbers and does other work. Thread-safe. */
@FunctionalInterface
public interface Iteration {

    /** Runs once, and records the numbers. Returns whether it completed; false if the run was stopped. */
    boolean run(DrawLog draw);

    /** Returns the draw if the iteration is nothing else, and so short that timing it would distort it. */
    default Optional<LongSupplier> bare() {
        return Optional.empty();
    }

    /** Returns the iteration for one client, with resources such as its own connection. */
    default Iteration ofOneClient() {
        return this;
    }

    /** Returns an iteration that draws one number, and then works; a bare one only draws, and only some draws are timed. */
    static Iteration drawing(LongSupplier numbers, boolean isBare, Predicate<DrawLog> work) {
        return new Iteration() {
            @Override
            public boolean run(DrawLog draw) {
                draw.begin();
                draw.took(numbers.getAsLong());
                return work.test(draw);
            }

            @Override
            public Optional<LongSupplier> bare() {
                return isBare ? Optional.of(numbers) : Optional.empty();
            }
        };
    }

    /** Returns an iteration that each client opens for itself. */
    static Iteration openedBy(Supplier<Iteration> client) {
        return new Iteration() {
            @Override
            public boolean run(DrawLog draw) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Iteration ofOneClient() {
                return client.get();
            }
        };
    }
}
