// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.util.function.Consumer;

/** Calls a listener, and survives what it throws. Thread-safe. */
record ListenerCalls(FeedListener listener) {

    private static final System.Logger LOG = System.getLogger(FeedListener.class.getName());

    void call(Consumer<FeedListener> call) {
        try {
            call.accept(listener);
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.WARNING, "a listener of feeds failed", e);
        }
    }
}
