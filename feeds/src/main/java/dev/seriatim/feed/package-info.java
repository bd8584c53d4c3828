// SPDX-License-Identifier: Apache-2.0
/**
 * Feeds. Begin with {@link dev.seriatim.feed.JdbcFeeds}.
 *
 * <p>A feed stands over a table. Every committed row of the table becomes one entry with a position 1, 2, 3 …, in commit
 * order, and nothing ever appears behind a reader:
 *
 * <ol>
 *   <li>A trigger copies the key of each inserted row to the feed's <em>inbox</em>, in the writer's transaction; on PostgreSQL at
 *       its commit. A sequence numbers the arrivals. Writers do not wait.
 *   <li>A <em>pass</em> locks the feed's row, takes the lowest arrivals of all that it sees, which are committed, gives them the
 *       next positions, and commits. One pass runs at a time, in any process.
 *   <li>Readers select positions above their own.
 * </ol>
 *
 * <p>On SQLite, which has one writer at a time, the trigger gives the position itself.
 */
package dev.seriatim.feed;
