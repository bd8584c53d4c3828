// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.time.Duration;

/**
 * Observes feeds. Methods run on the thread that did the work. What a listener throws is logged and ignored. Implementations are
 * thread-safe.
 */
public interface FeedListener {

    /** Called after a pass gave positions to {@code rows} rows, up to {@code last}. Not called for passes without rows. */
    default void stamped(String feed, int rows, long last, Duration took) {}

    /** Called after a reader has moved to a position, unless the caller's own transaction moved it. */
    default void advanced(String feed, String reader, long position) {}

    /** Called after {@link Outbox#append} has inserted a message, before the caller's transaction ends. */
    default void appended(String feed) {}

    /** Called after a pass or a batch failed that will be repeated. */
    default void failed(String feed, Exception failure) {}
}
