// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceListener;
import dev.seriatim.Sequences;
import dev.seriatim.couchbase.CouchbaseOptions;
import dev.seriatim.couchbase.CouchbaseStore;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.SequenceTable;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Provides the sequences of a bucket in the application's Couchbase cluster, which stays open when they close. The
 * bucket takes precedence over a data source.
 */
@AutoConfiguration(
        after = SeriatimAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.couchbase.CouchbaseAutoConfiguration",
            "org.springframework.boot.couchbase.autoconfigure.CouchbaseAutoConfiguration"
        })
@ConditionalOnProperty(name = "seriatim.enabled", matchIfMissing = true)
@ConditionalOnProperty("seriatim.couchbase.bucket")
@ConditionalOnClass(name = {"com.couchbase.client.java.Cluster", "dev.seriatim.couchbase.CouchbaseStore"})
@ConditionalOnBean(type = "com.couchbase.client.java.Cluster")
@ConditionalOnMissingBean(Sequences.class)
@EnableConfigurationProperties(SeriatimProperties.class)
final class CouchbaseSequencesAutoConfiguration {

    @Bean(SeriatimAutoConfiguration.SEQUENCES)
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
        return properties.open(AllListeners.of(listeners.orderedStream().toList()), settings -> {
            Collection collection = cluster.bucket(bucket).scope(place.scope()).collection(place.collection());
            return StoreSequences.builder(CouchbaseStore.open(collection, options))
                    .with(settings)
                    .build();
        });
    }
}
