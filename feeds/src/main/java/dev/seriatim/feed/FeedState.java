// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.util.List;

/**
 * The state of a feed at a moment. Immutable.
 *
 * @param table the user's table, with its schema if it has one
 * @param last the last position; 0 if there is none
 * @param waiting committed rows without a position
 * @param readers in the order of their names
 * @param holders sessions that a pass may wait for, or whose old snapshots slow it down; for display
 */
public record FeedState(
        String name,
        String table,
        List<String> key,
        long last,
        long waiting,
        List<Reader> readers,
        List<String> holders) {

    /** A reader's place. */
    public record Reader(String name, long position) {}
}
