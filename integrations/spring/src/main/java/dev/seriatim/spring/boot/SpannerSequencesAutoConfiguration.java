// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import dev.seriatim.SequenceListener;
import dev.seriatim.Sequences;
import dev.seriatim.spanner.SpannerSequences;
import dev.seriatim.spanner.SpannerStore;
import dev.seriatim.store.SequenceTable;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Provides the sequences of the application's Spanner database, through its client, which stays open when they close. A
 * data source takes precedence, and so does a Couchbase bucket that the properties name.
 *
 * <p>The database is a bean or, as in Spring Cloud GCP, the result of a supplier when the application starts.
 */
@AutoConfiguration(
        after = {SeriatimAutoConfiguration.class, CouchbaseSequencesAutoConfiguration.class},
        afterName = "com.google.cloud.spring.autoconfigure.spanner.GcpSpannerAutoConfiguration")
@ConditionalOnProperty(name = "seriatim.enabled", matchIfMissing = true)
@ConditionalOnClass(name = {"com.google.cloud.spanner.Spanner", "dev.seriatim.spanner.SpannerSequences"})
@ConditionalOnBean(type = "com.google.cloud.spanner.Spanner")
@ConditionalOnMissingBean(Sequences.class)
@Conditional(DatabaseCondition.NoBucket.class)
@EnableConfigurationProperties(SeriatimProperties.class)
final class SpannerSequencesAutoConfiguration {

    @Bean(SeriatimAutoConfiguration.SEQUENCES)
    @ConditionalOnBean(value = DatabaseId.class, parameterizedContainer = Supplier.class)
    SpannerSequences sequences(
            Spanner spanner,
            ObjectProvider<DatabaseId> database,
            ObjectProvider<Supplier<DatabaseId>> supplied,
            SeriatimProperties properties,
            ObjectProvider<SequenceListener> listeners) {
        DatabaseId id = database.getIfAvailable(() -> supplied.getObject().get());
        SequenceTable table = SequenceTable.own(properties.table());
        return properties.open(
                AllListeners.of(listeners.orderedStream().toList()),
                settings -> SpannerSequences.over(SpannerStore.open(spanner, id, table), settings));
    }
}
