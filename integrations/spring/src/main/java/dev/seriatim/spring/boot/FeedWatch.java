// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.FeedState;
import dev.seriatim.feed.JdbcFeeds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The feeds that are open in this process, without opening {@link JdbcFeeds}; the actuator's endpoint {@code feeds}.
 * Thread-safe.
 */
@Endpoint(id = "feeds")
final class FeedWatch {

    /** When a feed last had no rows that wait, or another last position than before. */
    private record Moved(long last, long at) {}

    private final ConfigurableListableBeanFactory beans;
    private final Duration alarm;
    private final Map<String, Moved> moved = new ConcurrentHashMap<>();

    FeedWatch(ConfigurableListableBeanFactory beans, Duration alarm) {
        this.beans = beans;
        this.alarm = alarm;
    }

    @ReadOperation
    public Map<String, List<FeedState>> feeds() {
        return Map.of("feeds", states());
    }

    private List<FeedState> states() {
        return Stream.of(beans.getBeanNamesForType(JdbcFeeds.class, true, false))
                .filter(beans::containsSingleton)
                .flatMap(name -> beans.getBean(name, JdbcFeeds.class).opened().stream())
                .map(Feed::state)
                .toList();
    }

    /** Throws {@link Overloaded} if rows wait for a position, and none got one for longer than the alarm. */
    void check() {
        long now = System.nanoTime();
        for (FeedState state : states()) {
            Moved before = moved.get(state.name());
            if (state.waiting() == 0 || before == null || before.last != state.last()) {
                moved.put(state.name(), new Moved(state.last(), now));
            } else if (now - before.at > alarm.toNanos()) {
                String why = "feed '%s': %d rows have waited %d s for a position; stamp it, or end what holds it: %s";
                long waited = (now - before.at) / 1_000_000_000;
                throw new Overloaded(why.formatted(state.name(), state.waiting(), waited, state.holders()), null);
            }
        }
    }
}
