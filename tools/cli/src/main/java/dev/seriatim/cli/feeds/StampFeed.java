// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.feeds;

import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.option.Interruption;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.store.OpenStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives positions, once or until interrupted. */
@Command(name = "stamp", description = """
                Gives positions to committed rows that have none.""", footer = """

                Several processes may follow; one stamps at a time. If the server is lost, they
                go on when it is back. On SQLite, a trigger has given the positions.

                Example: seriatim feed stamp orders --follow""")
final class StampFeed extends FeedVerb.OfOne {

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long AFTER_FAILURE = TimeUnit.SECONDS.toNanos(1);

    /** After a pass with as many rows, more are likely to wait. */
    private static final int MANY = 1_000;

    @Option(names = "--follow", description = "Go on until interrupted.")
    private boolean follow;

    @Override
    @SuppressWarnings("try") // resources that are only closed
    void run(JdbcFeeds feeds, OpenStore store) {
        Feed feed = feeds.table(name());
        long before = feed.last();
        if (follow) {
            AtomicBoolean stop = new AtomicBoolean();
            // Connections first: once the interruption is closed, the process may end.
            try (Interruption interruption = new Interruption(stop, "");
                    store;
                    feeds) {
                out().println("stamping " + quoted() + " in " + feeds + " until interrupted");
                out().flush();
                follow(feed, stop);
            }
        } else {
            long last = feed.settle();
            out().println("stamped " + counted(last - before, "row") + "; " + quoted() + " ends at " + last);
        }
    }

    /** Reports a failure once, and its end. */
    private void follow(Feed feed, AtomicBoolean stop) {
        String failing = "";
        for (long pause = SHORTEST; !stop.get(); LockSupport.parkNanos(pause)) {
            try {
                int rows = feed.stamp();
                pause = rows >= MANY ? 0 : rows > 0 ? SHORTEST : Math.min(LONGEST, 2 * pause + 1);
                if (!failing.isEmpty()) {
                    err().println("seriatim: stamping " + quoted() + " again");
                    failing = "";
                }
            } catch (Unavailable | Overloaded | CommitOutcomeUnknown e) {
                String failure = OneLine.message(String.valueOf(e.getMessage()));
                if (!failure.equals(failing)) {
                    err().println("seriatim: " + failure);
                    failing = failure;
                }
                pause = AFTER_FAILURE;
            }
        }
    }
}
