// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

/** Work for the executor. */
@FunctionalInterface
public interface Step {

    void run();

    /**
     * The executor threw, and the step neither has run nor will. Unless overridden, it runs on this thread: what has begun must
     * end.
     */
    default void refused(Throwable why) {
        run();
    }
}
