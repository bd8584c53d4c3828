// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.util.random.RandomGenerator;

/** A fault that can strike any number of times. */
public interface InjectedFault {

    /** Returns what it is done to. */
    FaultKind kind();

    /** Returns what happens, in a few words for a list, such as {@code server killed}. */
    String name();

    /**
     * Does the harm and, if it lasts, undoes it; returns when it is over. It is also undone if this throws.
     *
     * @param dice decides whatever is left to chance, such as how long it lasts
     * @throws InterruptedException if the thread is interrupted
     * @throws dev.seriatim.SequenceException if it cannot be done or undone, with the reason in one line
     */
    void strike(RandomGenerator dice) throws InterruptedException;
}
