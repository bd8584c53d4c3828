// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.draw;

import java.util.List;

/** Closes several resources. */
public final class Closing {

    private Closing() {}

    /** Closes all resources even if some fail. Throws the first failure, with the others suppressed. */
    public static void each(List<? extends AutoCloseable> left) {
        Throwable first = null;
        for (AutoCloseable each : left) {
            try {
                each.close();
            } catch (Throwable e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw first instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(first);
        }
    }
}
