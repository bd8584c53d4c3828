// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Assumptions;

/** Starts virtual threads on a Java that has them; elsewhere, skips the test. */
final class OnVirtualThread {

    private OnVirtualThread() {}

    static void start(Runnable work) throws ReflectiveOperationException {
        Assumptions.assumeTrue(
                Runtime.version().feature() >= 21, "Java " + Runtime.version().feature() + " has no virtual threads");
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        start.invoke(null, work);
    }
}
