// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.feeds;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.cli.feeds.FeedVerb.OfOne;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.FeedCheck;
import dev.seriatim.feed.FeedDefinition;
import dev.seriatim.feed.FeedState;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.store.OpenStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code feed} and its short actions. Without an action, it shows the help. */
@Command(
        name = "feed",
        synopsisSubcommandLabel = "ACTION",
        commandListHeading = "%nActions, each with its own --help:%n",
        subcommands = {
            FeedCommand.Create.class,
            StampFeed.class,
            ReadFeed.class,
            ShowFeed.All.class,
            ShowFeed.class,
            FeedCommand.Check.class,
            FeedCommand.Reader.class,
            FeedCommand.Trim.class,
            FeedCommand.Drop.class,
            FeedCommand.Install.class
        },
        description = """
                Gives each committed row of a table a position 1, 2, 3, ... in commit order: a poller that reads by position \
                skips no row.""",
        footer = """

                Example: seriatim feed create orders
                         seriatim feed stamp orders --follow
                         seriatim feed read orders --after 0 -n 10""")
public final class FeedCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.DONE;
    }

    @Command(name = "create", abbreviateSynopsis = true, description = """
                    Creates a feed: its tables, a view of positions and rows, and a trigger on your table. Renews the \
                    view of a feed that exists.""", footer = """

                    Writers to the table wait while its rows are entered. The view has the columns
                    of the table when it was made.

                    Example: seriatim feed create shop.sales --key region,number --print""")
    static final class Create extends FeedVerb {

        @Parameters(paramLabel = "TABLE", description = """
                        The table, as the database spells it: [SCHEMA.]TABLE.""")
        private String table = "";

        @Option(names = "--key", split = ",", paramLabel = "COLUMN", description = """
                        Columns that together have a unique index. Default: the primary key.""")
        private List<String> key = List.of();

        @Option(names = "--name", paramLabel = "NAME", description = "The feed. Default: the table's name.")
        private @Nullable String name;

        @Option(names = "--from", paramLabel = "WHICH", description = """
                        beginning: existing rows come first, by key. now: they are left out. Default: beginning.""")
        private FeedDefinition.From from = FeedDefinition.From.BEGINNING;

        @Option(names = "--print", description = "Print a script instead.")
        private boolean print;

        @Override
        void run(JdbcFeeds feeds, OpenStore store) {
            FeedDefinition over = FeedDefinition.over(table);
            FeedDefinition wanted = over.named(name == null ? over.name() : name)
                    .key(key.toArray(String[]::new))
                    .from(from);
            if (print) {
                out().print(feeds.script(wanted));
                return;
            }
            String done = feeds.list().contains(wanted.name()) ? "renewed the view of" : "created";
            Feed feed = feeds.define(wanted);
            out().println(done + " feed " + OneLine.quoted(feed.name()) + " in " + feeds + "; poll " + feed.view());
        }
    }

    @Command(name = "check", description = """
                    Compares a table with its feed, and checks the trigger. Reads both whole. Exit code 3: there is a \
                    fault.""", footer = """

                    Example: seriatim feed check orders --mend""")
    static final class Check extends OfOne {

        @Option(names = "--mend", description = """
                        Create a missing or disabled trigger or a broken view again, and enter rows without an entry.""")
        private boolean mend;

        @Override
        void run(Feed feed) {
            if (mend) {
                out().println("entered " + counted(feed.mend(), "row") + " into " + quoted());
            }
            FeedCheck found = feed.check();
            List<String> faults = found.faults();
            faults.forEach(fault -> out().println(OneLine.of(fault)));
            found.notes().forEach(note -> out().println("note: " + OneLine.of(note)));
            if (faults.isEmpty()) {
                out().println(quoted() + " has no fault");
                return;
            }
            out().flush();
            boolean mendable = found.rowsWithoutEntry() > 0 && !found.incomplete();
            err().println("seriatim: " + quoted() + " has " + counted(faults.size(), "fault") + (mendable ? """
                    ; --mend enters the rows""" : ""));
            endWith(ExitCode.WRONG_NUMBERS);
        }
    }

    @Command(name = "reader", description = """
                    Sets the place of a reader, or removes it.""", footer = """

                    Example: seriatim feed reader orders billing --to 0""")
    static final class Reader extends OfOne {

        @Parameters(index = "1", paramLabel = "READER", description = "The reader.")
        private String reader = "";

        @Option(names = "--to", paramLabel = "N", description = """
                        The entry after this position comes next. A reader that is missing is created.""")
        private @Nullable Long to;

        @Option(names = "--forget", description = """
                        Remove the reader. trim waits for it no longer.""")
        private boolean forget;

        @Override
        protected void check() {
            refuse((to != null) == forget ? "give either --to or --forget" : "");
        }

        @Override
        void run(Feed feed) {
            Optional<FeedState.Reader> before = feed.state().readers().stream()
                    .filter(each -> each.name().equals(reader))
                    .findFirst();
            String named = "reader " + OneLine.quoted(reader) + " of " + quoted();
            String was = before.map(known -> ", was at " + known.position()).orElse(", created");
            if (to != null) {
                feed.reader(reader).rewind(to);
                out().println(named + " is at " + to + was);
            } else if (before.isPresent()) {
                feed.reader(reader).forget();
                out().println("removed " + named + was);
            } else {
                throw new NotFound(named + " not found; 'feed show' lists them");
            }
        }
    }

    @Command(name = "trim", description = """
                    Removes positions that every reader has passed, except the last.""", footer = """

                    Example: seriatim feed trim orders --to 100000""")
    static final class Trim extends OfOne {

        @Option(names = "--to", paramLabel = "N", description = """
                        Remove none above this one. Without readers, name what all pollers have passed.""")
        private @Nullable Long to;

        @Override
        void run(Feed feed) {
            if (to == null && feed.state().readers().isEmpty()) {
                throw new Misconfigured("""
                        %s has no readers; name what all pollers have passed with --to""".formatted(quoted()));
            }
            long upTo = to == null ? Long.MAX_VALUE : to;
            out().println("removed " + counted(feed.trim(upTo), "position") + " of " + quoted());
        }
    }

    @Command(name = "drop", description = """
                    Removes a feed with its positions and readers. The table stays. This cannot be undone.""", footer = """

                    Example: seriatim feed drop orders""")
    static final class Drop extends OfOne {

        @Override
        void run(JdbcFeeds feeds, OpenStore store) {
            feeds.drop(name());
            out().println("dropped " + quoted() + " from " + feeds);
        }
    }

    @Command(name = "install", description = """
                    Creates SQL functions to stamp and read; on MariaDB and MySQL, procedures.""", footer = """

                      feed_stamp(feed)                      gives positions to up to 5,000 rows
                      feed_last(feed)                       the last position
                      feed_advance(feed, reader, position)  moves a reader on

                    Example: seriatim feed install""")
    static final class Install extends FeedVerb {

        @Override
        void run(JdbcFeeds feeds, OpenStore store) {
            String missing = feeds.install() ? "" : """
                    , without functions: only PostgreSQL, MariaDB and MySQL have them""";
            out().println("installed in " + feeds + missing);
        }
    }
}
