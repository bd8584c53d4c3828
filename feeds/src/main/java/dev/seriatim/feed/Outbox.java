// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A table of messages with a feed over it: {@code id, key, type, payload, at}. Other programs may insert into the table, too.
 * Thread-safe.
 */
public final class Outbox {

    private final Feed feed;
    private final String insert;

    Outbox(Feed feed) {
        this.feed = feed.select("key", "type", "payload", "at");
        insert = "INSERT INTO " + feed.tables.in(feed.database.dialect, feed.tables.table()) + " ("
                + feed.database.dialect.quote("key") + ", type, payload) VALUES (?, ?, ?)";
    }

    /**
     * Inserts a message in the caller's transaction.
     *
     * @param key what the message is about, such as an order's number; may be null
     * @throws dev.seriatim.SequenceException.Unavailable if the connection broke
     * @throws Misconfigured if the table refuses the message
     */
    public void append(Connection transaction, @Nullable String key, String type, String payload) {
        feed.database.inside(
                feed.tables, transaction, connection -> FeedSql.execute(connection, insert, key, type, payload));
        feed.listening.call(listener -> listener.appended(feed.name()));
    }

    /** Returns the feed; its entries carry {@code key}, {@code type}, {@code payload} and {@code at}. */
    public Feed feed() {
        return feed;
    }

    /** Returns {@link Feed#reader}. */
    public FeedReader reader(String name) {
        return feed.reader(name);
    }

    /**
     * Removes the positions, and the messages, that every reader has passed, except the last; none without readers.
     *
     * @return how many positions
     * @throws Misconfigured if another feed stands over the table, whose readers may not have passed the messages
     */
    public long trim() {
        feed.database.list().stream()
                .filter(other -> other.table().equalsIgnoreCase(feed.tables.table())
                        && other.schema().equals(feed.tables.schema())
                        && !other.name().equals(feed.name()))
                .findFirst()
                .ifPresent(other -> {
                    throw new Misconfigured("feed '" + other.name() + "' also stands over the messages of feed '"
                            + feed.name() + "'; use Feed.trim");
                });
        return feed.trim(Long.MAX_VALUE, "trim_messages", "trim");
    }
}
