// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.SequenceException.Unavailable;

/** Closes an object if it is closeable. */
public final class Closeables {

    private Closeables() {}

    public static Runnable of(Object perhaps) {
        return perhaps instanceof AutoCloseable closable ? () -> close(closable) : () -> {};
    }

    private static void close(AutoCloseable closable) {
        try {
            closable.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new Unavailable("the data source could not be closed (" + e.getMessage() + ")", e);
        }
    }
}
