// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.feed.Feed;
import dev.seriatim.feed.FeedListener;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.micrometer.FeedMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Feeds beside the sequences, with {@code seriatim-feeds}. */
@AutoConfiguration(after = SeriatimAutoConfiguration.class)
@ConditionalOnClass(JdbcFeeds.class)
@ConditionalOnProperty(
        name = {"seriatim.enabled", "seriatim.feeds.enabled"},
        matchIfMissing = true)
final class FeedsAutoConfiguration {

    /** The name of the bean. */
    static final String FEEDS = "seriatimFeeds";

    /** Binds these properties alone: an application with sequences of its own need not have the others right. */
    private static SeriatimProperties.Feeds properties(Environment environment) {
        return Binder.get(environment).bindOrCreate("seriatim.feeds", SeriatimProperties.Feeds.class);
    }

    private static boolean createsMissing(Environment environment) {
        return environment.getProperty("seriatim.create-missing", Boolean.class, true);
    }

    /** Opened when something needs it, since not every database of the application's tests has feeds. */
    @Bean(FEEDS)
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(JdbcSequences.class)
    JdbcFeeds feeds(
            JdbcSequences sequences,
            Environment environment,
            ObjectProvider<FeedListener> listeners,
            ObjectProvider<JdbcFeeds> self) {
        Stream<FeedListener> all = Stream.concat(Stream.of(new Attending(self)), listeners.orderedStream());
        Duration stamping = properties(environment).stamping();
        return JdbcFeeds.over(sequences.store(), settings -> {
            settings.createMissing(createsMissing(environment)).listener(AllListeners.of(FeedListener.class, all));
            if (stamping.toNanos() > 0) {
                settings.stamping(stamping);
            }
        });
    }

    @Bean
    FeedWatch seriatimFeedWatch(ConfigurableListableBeanFactory beans, Environment environment) {
        return new FeedWatch(beans, properties(environment).alarm());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataSourceUtils.class)
    static class Handlers {

        @Bean
        FeedHandlers seriatimFeedHandlers(ConfigurableListableBeanFactory beans, Environment environment) {
            return new FeedHandlers(beans, createsMissing(environment));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({FeedMetrics.class, MeterBinder.class})
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        FeedMetrics seriatimFeedMetrics() {
            return new FeedMetrics();
        }

        @Bean
        SmartInitializingSingleton seriatimFeedStates(FeedMetrics metrics, ObjectProvider<JdbcFeeds> feeds) {
            return () -> metrics.states(name -> feeds.getObject().opened().stream() // makes no feed that was dropped
                    .filter(feed -> feed.name().equals(name))
                    .findFirst()
                    .orElseThrow()
                    .state());
        }
    }

    /** Stamps after commits that have appended to an outbox, and logs failures that nothing throws, once each. */
    private record Attending(ObjectProvider<JdbcFeeds> feeds, Map<String, String> logged) implements FeedListener {

        Attending(ObjectProvider<JdbcFeeds> feeds) {
            this(feeds, new ConcurrentHashMap<>());
        }

        @Override
        public void appended(String feed) {
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                Nudge nudge = new Nudge(feeds.getObject().table(feed));
                if (!TransactionSynchronizationManager.getSynchronizations().contains(nudge)) {
                    TransactionSynchronizationManager.registerSynchronization(nudge);
                }
            }
        }

        @Override
        public void stamped(String feed, int rows, long last, Duration took) {
            logged.remove(feed);
        }

        @Override
        public void failed(String feed, Exception failure) {
            String message = String.valueOf(failure.getMessage());
            if (!message.equals(logged.put(feed, message))) {
                System.getLogger("dev.seriatim.spring")
                        .log(System.Logger.Level.WARNING, "feed ''{0}'': {1}", feed, message);
            }
        }
    }

    private record Nudge(Feed feed) implements TransactionSynchronization {
        @Override
        public void afterCommit() {
            feed.nudge();
        }
    }
}
