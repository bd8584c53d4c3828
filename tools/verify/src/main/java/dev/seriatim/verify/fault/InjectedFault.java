// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.util.random.RandomGenerator;

/** A fault that can be injected any number of times, with a name such as {@code server killed}. Immutable. */
public record InjectedFault(String name, Injection injection) {

    public interface Injection {

        /** Injects the fault, by chance where it has a choice, and undoes it if it lasts, also if this throws; returns when it is over. */
        void inject(RandomGenerator dice) throws InterruptedException;
    }
}
