// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.msg.kv.DurabilityLevel;
import com.couchbase.client.java.Bucket;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.codec.RawJsonTranscoder;
import com.couchbase.client.java.kv.GetOptions;
import com.couchbase.client.java.kv.IncrementOptions;
import com.couchbase.client.java.kv.UpsertOptions;
import dev.seriatim.store.StoreUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** The test bucket, as an application sees it that does not know Seriatim. Thread-safe. */
record OpenBucket(Cluster cluster, Collection collection, DurabilityLevel durability) implements AutoCloseable {

    static OpenBucket connect() {
        CouchbaseUrl url = CouchbaseUrl.parse(StoreUrl.parse(TestServer.url("")), Map.of());
        Cluster cluster = Cluster.connect(url.connection(), url.user(), url.password());
        Bucket bucket = cluster.bucket(url.bucket());
        bucket.waitUntilReady(Duration.ofSeconds(20));
        return new OpenBucket(
                cluster,
                bucket.scope(url.scope()).collection(url.collection()),
                url.options().durability());
    }

    /** Returns options with the highest durability that the bucket supports. */
    CouchbaseOptions sequences() {
        return CouchbaseOptions.sequences().withDurability(durability);
    }

    CouchbaseOptions counters() {
        return CouchbaseOptions.counters().withDurability(durability);
    }

    /** As published: increment("counter", 1, 1). */
    long increment(String key) {
        return collection
                .binary()
                .increment(
                        key,
                        IncrementOptions.incrementOptions().delta(1).initial(1).durability(durability))
                .content();
    }

    /** Writes a document, replacing any existing one. */
    void put(String key, String text) {
        collection.upsert(
                key,
                text.getBytes(StandardCharsets.UTF_8),
                UpsertOptions.upsertOptions()
                        .transcoder(RawJsonTranscoder.INSTANCE)
                        .durability(durability));
    }

    /** Returns the text of a document. */
    String text(String key) {
        return new String(
                collection
                        .get(key, GetOptions.getOptions().transcoder(RawJsonTranscoder.INSTANCE))
                        .contentAsBytes(),
                StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        cluster.disconnect();
    }
}
