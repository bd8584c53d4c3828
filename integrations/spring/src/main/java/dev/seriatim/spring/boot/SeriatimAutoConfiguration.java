// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceListener;
import dev.seriatim.Sequences;
import dev.seriatim.jdbc.JdbcSequences;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Provides a {@link JdbcSequences} bean over the application's data source, or over {@code seriatim.url}, unless the
 * application has a {@link Sequences} bean of its own. Runs on Spring Boot 3.5 and 4. The sequences are in Couchbase
 * instead if {@code seriatim.couchbase.bucket} is set, and may be in Spanner if there is no data source; both have an
 * auto-configuration of their own.
 *
 * <p>The sequences open a few connections of their own, so that a reservation never waits for a connection that callers
 * hold who wait for its numbers. They close after all beans that use them, and give unused values back.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnProperty(name = "seriatim.enabled", matchIfMissing = true)
public class SeriatimAutoConfiguration {

    /** The name of the bean. */
    static final String SEQUENCES = "seriatimSequences";

    /** Creates the configuration. */
    public SeriatimAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Sequences.class)
    @Conditional(DatabaseCondition.class)
    @EnableConfigurationProperties(SeriatimProperties.class)
    static class OverDatabase {

        @Bean(SequenceDatabase.DATABASE)
        SequenceDatabase database(SeriatimProperties properties, ConfigurableListableBeanFactory beans) {
            return SequenceDatabase.open(properties, beans);
        }

        @Bean(SEQUENCES)
        JdbcSequences sequences(
                SequenceDatabase database, SeriatimProperties properties, ObjectProvider<SequenceListener> listeners) {
            return database.sequences(
                    properties, AllListeners.of(listeners.orderedStream().toList()));
        }
    }
}
