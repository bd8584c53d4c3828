// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceListener;
import dev.seriatim.Sequences;
import dev.seriatim.couchbase.CouchbaseOptions;
import dev.seriatim.couchbase.CouchbaseStore;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.spanner.SpannerSequences;
import dev.seriatim.spanner.SpannerStore;
import dev.seriatim.store.SequenceTable;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * Provides a {@link Sequences} bean, unless the application has its own. Runs on Spring Boot 3.5 and 4.
 *
 * <ol>
 *   <li>Over the Couchbase bucket {@code seriatim.couchbase.bucket}, if that is set.
 *   <li>Otherwise over the application's data source or {@code seriatim.url}, as {@link JdbcSequences}. They open a few
 *       connections of their own, so that a reservation never waits for a connection that callers hold who wait for its
 *       numbers.
 *   <li>Otherwise over the application's Spanner client and database.
 * </ol>
 *
 * <p>The sequences close after all beans that use them, and give unused values back. The application's data source,
 * cluster or client stays open.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.couchbase.CouchbaseAutoConfiguration",
            "org.springframework.boot.couchbase.autoconfigure.CouchbaseAutoConfiguration",
            "com.google.cloud.spring.autoconfigure.spanner.GcpSpannerAutoConfiguration"
        })
@ConditionalOnProperty(name = "seriatim.enabled", matchIfMissing = true)
public class SeriatimAutoConfiguration {

    /** The name of the bean. */
    static final String SEQUENCES = "seriatimSequences";

    /** Creates the configuration. */
    public SeriatimAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @Order(1)
    @ConditionalOnMissingBean(Sequences.class)
    @Conditional(DatabaseNamed.class)
    @EnableConfigurationProperties(SeriatimProperties.class)
    static class OverDatabase {

        @Bean(SequenceDatabase.DATABASE)
        SequenceDatabase database(SeriatimProperties properties, ConfigurableListableBeanFactory beans) {
            return SequenceDatabase.open(properties, beans);
        }

        @Bean(SEQUENCES)
        JdbcSequences sequences(
                SequenceDatabase database, SeriatimProperties properties, ObjectProvider<SequenceListener> listeners) {
            return database.sequences(properties, AllListeners.of(SequenceListener.class, listeners.orderedStream()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Order(2)
    @ConditionalOnProperty("seriatim.couchbase.bucket")
    @ConditionalOnClass(name = {"com.couchbase.client.java.Cluster", "dev.seriatim.couchbase.CouchbaseStore"})
    @ConditionalOnBean(type = "com.couchbase.client.java.Cluster")
    @ConditionalOnMissingBean(Sequences.class)
    @EnableConfigurationProperties(SeriatimProperties.class)
    static class OverCouchbase {

        @Bean(SEQUENCES)
        StoreSequences sequences(
                Cluster cluster, SeriatimProperties properties, ObjectProvider<SequenceListener> listeners) {
            SeriatimProperties.Couchbase place = Objects.requireNonNull(properties.couchbase());
            String bucket = String.valueOf(place.bucket());
            if (bucket.isBlank()) {
                throw new Misconfigured(
                        "seriatim.couchbase.bucket is empty; set it to the bucket that holds the sequences");
            }
            if (!properties.table().equals(SequenceTable.DEFAULT_NAME)) {
                throw new Misconfigured("""
                        seriatim.table=%s is for a database with tables; with seriatim.couchbase.bucket, set \
                        seriatim.couchbase.collection""".formatted(properties.table()));
            }
            CouchbaseOptions options = CouchbaseOptions.sequences().withDurability(place.durability());
            return properties.open(AllListeners.of(SequenceListener.class, listeners.orderedStream()), settings -> {
                Collection collection =
                        cluster.bucket(bucket).scope(place.scope()).collection(place.collection());
                return StoreSequences.builder(CouchbaseStore.open(collection, options))
                        .with(settings)
                        .build();
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Order(3)
    @ConditionalOnClass(name = {"com.google.cloud.spanner.Spanner", "dev.seriatim.spanner.SpannerSequences"})
    @ConditionalOnBean(type = "com.google.cloud.spanner.Spanner")
    @ConditionalOnMissingBean(Sequences.class)
    @Conditional(NoBucketNamed.class)
    @EnableConfigurationProperties(SeriatimProperties.class)
    static class OverSpanner {

        /** The database is a bean or, as in Spring Cloud GCP, the result of a supplier when the application starts. */
        @Bean(SEQUENCES)
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
                    AllListeners.of(SequenceListener.class, listeners.orderedStream()),
                    settings -> SpannerSequences.over(SpannerStore.open(spanner, id, table), settings));
        }
    }

    /** There is a data source and no bucket is named, or a property says that there should be a database. */
    static final class DatabaseNamed extends AnyNestedCondition {
        DatabaseNamed() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(DataSource.class)
        @Conditional(NoBucketNamed.class)
        static final class OfApplication {}

        @ConditionalOnProperty("seriatim.data-source")
        static final class OfName {}

        @ConditionalOnProperty("seriatim.url")
        static final class OfUrl {}
    }

    static final class NoBucketNamed extends NoneNestedConditions {
        NoBucketNamed() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("seriatim.couchbase.bucket")
        static final class Bucket {}
    }
}
