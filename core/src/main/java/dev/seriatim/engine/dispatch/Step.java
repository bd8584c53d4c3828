// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.dispatch;

/** Work for the executor. */
@FunctionalInterface
public interface Step {

    void run();

    /** Called instead of {@link #run} if the executor threw. The default runs the step here: a call that has begun must end. */
    default void refused(Throwable why) {
        run();
    }
}
