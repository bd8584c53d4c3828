// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.feed.Entry;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.feed.Outbox;
import dev.seriatim.spring.FeedHandler;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.modulith.events.core.EventSerializer;
import org.springframework.modulith.events.support.EventExternalizationTransport;
import org.springframework.modulith.events.support.OutboxEventExternalizer;
import org.springframework.modulith.events.support.OutboxEventExternalizerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

/**
 * An outbox for Spring Modulith 2.1, unless one of its own is on the class path: events to externalize are stored in the
 * table {@code modulith} in the publisher's transaction, and handed to every broker's transport in commit order.
 */
@AutoConfiguration(after = EventExternalizationAutoConfiguration.class)
@ConditionalOnClass({JdbcFeeds.class, DataSourceUtils.class, OutboxEventExternalizerFactory.class})
@ConditionalOnMissingClass({"io.namastack.outbox.Outbox", "org.jobrunr.scheduling.JobScheduler"})
@ConditionalOnBean(OutboxEventExternalizerFactory.class) // in outbox mode
final class ModulithAutoConfiguration {

    private static final String OUTBOX = "modulith";

    @Bean
    @Primary
    Externalizers seriatimExternalizers(
            EventExternalizationConfiguration configuration, ApplicationEventPublisher publisher) {
        return new Externalizers(configuration, publisher);
    }

    @Bean
    Recorder seriatimModulithRecorder(
            JdbcFeeds feeds,
            EventExternalizationConfiguration configuration,
            EventSerializer serializer,
            PlatformTransactionManager manager,
            BeanFactory beans) {
        return new Recorder(
                feeds.outbox(OUTBOX),
                configuration,
                serializer,
                new TransactionTemplate(manager),
                FeedHandlers.source(beans));
    }

    @Bean
    Relay seriatimModulithRelay(Externalizers externalizers, EventSerializer serializer) {
        return new Relay(externalizers, serializer);
    }

    /** Knows what it has made: transports, such as Kafka's, make theirs here and keep them to themselves. */
    static final class Externalizers extends OutboxEventExternalizerFactory {

        private final List<OutboxEventExternalizer> made = new CopyOnWriteArrayList<>();

        Externalizers(EventExternalizationConfiguration configuration, ApplicationEventPublisher publisher) {
            super(configuration, publisher);
        }

        @Override
        public OutboxEventExternalizer forTransport(EventExternalizationTransport transport) {
            OutboxEventExternalizer externalizer = super.forTransport(transport);
            made.add(externalizer);
            return externalizer;
        }
    }

    record Recorder(
            Outbox outbox,
            EventExternalizationConfiguration configuration,
            EventSerializer serializer,
            TransactionTemplate transactions,
            DataSource source)
            implements ApplicationListener<PayloadApplicationEvent<?>> {

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<?> published) {
            Object event = published.getPayload();
            if (configuration.supports(event)) {
                String text = serializer.serialize(event).toString();
                FeedHandlers.inTransaction(transactions, source, connection -> {
                    outbox.append(connection, null, event.getClass().getName(), text);
                    return text;
                });
            }
        }
    }

    record Relay(Externalizers externalizers, EventSerializer serializer) {

        /** In small batches, since a failure sends the whole batch again. Nothing if the message was deleted. */
        @FeedHandler(
                feed = OUTBOX,
                reader = OUTBOX,
                batch = 20,
                columns = {"type", "payload"})
        void relay(Entry message) throws ClassNotFoundException {
            if (externalizers.made.isEmpty()) {
                throw new Misconfigured(
                        "no transport externalizes events; add one, such as spring-modulith-events-kafka");
            }
            if (message.row().isPresent()) {
                Class<?> type = ClassUtils.forName(Objects.requireNonNull(message.text("type")), null);
                Object event = serializer.deserialize(Objects.requireNonNull(message.text("payload")), type);
                externalizers.made.forEach(each -> each.externalizeBlocking(event));
            }
        }
    }
}
