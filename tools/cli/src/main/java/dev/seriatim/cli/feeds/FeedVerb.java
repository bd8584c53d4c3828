// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.feeds;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.cli.option.StoreCommand;
import dev.seriatim.cli.terminal.JsonText;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.OpenStore;
import picocli.CommandLine.Parameters;

/** An action on the feeds of a database. Not thread-safe. */
abstract class FeedVerb extends StoreCommand {

    @Override
    protected final void run(OpenStore store) {
        if (!(store instanceof JdbcStore database)) {
            throw new Misconfigured("""
                    feed: %s has no feeds; name an SQL database with --store""".formatted(store));
        }
        try (JdbcFeeds feeds = JdbcFeeds.over(database, settings -> settings.createMissing(false))) {
            run(feeds, store);
        }
    }

    abstract void run(JdbcFeeds feeds, OpenStore store);

    final void json(Object value) {
        new JsonText(out()).print(value);
        out().println();
    }

    static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    abstract static class OfOne extends FeedVerb {

        @Parameters(index = "0", paramLabel = "NAME", description = "The feed.")
        private String name = "";

        @Override
        void run(JdbcFeeds feeds, OpenStore store) {
            run(feeds.table(name));
        }

        void run(Feed feed) {}

        final String name() {
            return name;
        }

        final String quoted() {
            return "feed " + OneLine.quoted(name);
        }
    }
}
