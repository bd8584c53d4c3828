// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.feeds;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.OutputFormat;
import dev.seriatim.cli.terminal.TextTable;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.FeedState;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.store.OpenStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows one feed. */
@Command(name = "show", description = """
                Shows a feed: its last position, committed rows that wait for one, readers, and sessions that hold it \
                up.""", footer = """

                In JSON, 64-bit numbers are strings.

                Example: seriatim feed show orders --format json""")
final class ShowFeed extends FeedVerb.OfOne {

    @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
    private OutputFormat format = OutputFormat.TEXT;

    @Override
    void run(Feed feed) {
        FeedState state = feed.state();
        if (format == OutputFormat.JSON) {
            json(fields(feed, state));
            return;
        }
        line("name", state.name());
        line("table", state.table());
        line("key", String.join(", ", state.key()));
        line("view", feed.view());
        line("last position", state.last());
        line("waiting", counted(state.waiting(), "row"));
        for (FeedState.Reader reader : state.readers()) {
            long behind = state.last() - reader.position();
            String lag = behind < 0 ? "beyond the end; rewind it" : behind + " behind";
            line("reader", reader.name() + " at " + reader.position() + ", " + lag);
        }
        state.holders().forEach(holder -> line("held by", holder));
    }

    private void line(String what, Object value) {
        out().println(what + " ".repeat(14 - what.length()) + OneLine.of(value.toString()));
    }

    private static Map<String, Object> fields(Feed feed, FeedState state) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", state.name());
        fields.put("table", state.table());
        fields.put("key", state.key());
        fields.put("view", feed.view());
        fields.put("last position", state.last());
        fields.put("waiting", state.waiting());
        List<Map<String, Object>> readers = new ArrayList<>();
        for (FeedState.Reader reader : state.readers()) {
            Map<String, Object> place = new LinkedHashMap<>();
            place.put("name", reader.name());
            place.put("position", reader.position());
            place.put("behind", state.last() - reader.position());
            readers.add(place);
        }
        fields.put("readers", readers);
        fields.put("held by", state.holders());
        return fields;
    }

    @Command(name = "list", description = """
                    Lists all feeds and their last positions.""", footer = """

                    Example: seriatim feed list --format json""")
    static final class All extends FeedVerb {

        @Option(names = "--format", paramLabel = "FORMAT", description = OutputFormat.CHOICES)
        private OutputFormat format = OutputFormat.TEXT;

        @Override
        void run(JdbcFeeds feeds, OpenStore store) {
            List<Map<String, Object>> found = new ArrayList<>();
            List<String> names = feeds.list();
            for (String name : names) {
                try {
                    found.add(fields(feeds.table(name), feeds.table(name).state()));
                } catch (SequenceException e) {
                    err().println("seriatim: feed " + OneLine.quoted(name) + ": "
                            + OneLine.message(String.valueOf(e.getMessage())));
                    endWith(ExitCode.FAILED);
                }
            }
            if (format == OutputFormat.JSON) {
                json(found);
            } else if (names.isEmpty()) {
                err().println("""
                        no feeds in %s; 'feed create TABLE' with the same store creates one""".formatted(feeds));
            } else {
                List<List<String>> rows = new ArrayList<>();
                rows.add(List.of("NAME", "TABLE", "LAST POSITION", "WAITING"));
                found.forEach(feed -> rows.add(Stream.of("name", "table", "last position", "waiting")
                        .map(field -> OneLine.of(String.valueOf(feed.get(field))))
                        .toList()));
                TextTable.print(out(), rows, column -> column < 2);
            }
        }
    }
}
