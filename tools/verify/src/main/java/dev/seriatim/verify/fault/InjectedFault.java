// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.util.random.RandomGenerator;

/**
 * A fault that can be injected any number of times. Immutable.
 *
 * @param name such as {@code server killed}
 */
public record InjectedFault(String name, Injection injection) {

    public interface Injection {

        /**
         * Injects the fault and undoes it if it lasts, also if this throws; returns when it is over.
         *
         * @param dice decides what is left to chance, such as the time that the fault lasts
         * @throws dev.seriatim.SequenceException if it cannot be injected or undone, with the reason in one line
         */
        void inject(RandomGenerator dice) throws InterruptedException;
    }
}
