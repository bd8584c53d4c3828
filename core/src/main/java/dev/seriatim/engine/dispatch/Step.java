// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

/** Work for the executor. */
@FunctionalInterface
public interface Step {

    void run();

    /**
     * Called if the executor threw, and the step neither has run nor will run. The default runs it on this thread, because a call that has
     * begun must end.
     */
    default void refused(Throwable why) {
        run();
    }
}
