// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.msg.kv.DurabilityLevel;
import com.couchbase.client.core.topology.BucketCapability;
import com.couchbase.client.core.topology.BucketTopology;
import com.couchbase.client.core.topology.ClusterTopologyWithBucket;
import com.couchbase.client.core.topology.CouchbaseBucketTopology;
import com.couchbase.client.java.Collection;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The levels of durability, by their names in URLs. */
final class DurabilityLevels {

    private static final Map<String, DurabilityLevel> LEVELS = new TreeMap<>(Map.of(
            "none", DurabilityLevel.NONE,
            "majority", DurabilityLevel.MAJORITY,
            "majority-and-persist", DurabilityLevel.MAJORITY_AND_PERSIST_TO_ACTIVE,
            "persist-to-majority", DurabilityLevel.PERSIST_TO_MAJORITY));

    private DurabilityLevels() {}

    /** Returns the level with this name; empty if there is none. */
    static Optional<DurabilityLevel> named(String name) {
        return Optional.ofNullable(LEVELS.get(name));
    }

    /** Returns all names, for messages. */
    static String names() {
        return String.join(", ", LEVELS.keySet());
    }

    static String name(DurabilityLevel level) {
        return LEVELS.entrySet().stream()
                .filter(entry -> entry.getValue() == level)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /** Describes a level in a bucket, above all its lack of guarantees. */
    static String describe(DurabilityLevel level, Collection collection) {
        if (level == DurabilityLevel.NONE) {
            return "none: loses acknowledged values on failover";
        }
        boolean alone = level == DurabilityLevel.MAJORITY
                && bucket(collection)
                        .filter(bucket -> bucket instanceof CouchbaseBucketTopology partitions
                                && partitions.numberOfReplicas() == 0)
                        .isPresent();
        return name(level) + (alone ? " of one copy: loses acknowledged values when its node crashes" : "");
    }

    /**
     * Rejects a level that a bucket does not support.
     *
     * @throws Misconfigured if the level requires durable writes, which the bucket does not support
     */
    static void check(DurabilityLevel level, Collection collection, String place) {
        boolean unable = bucket(collection)
                .filter(bucket -> !bucket.hasCapability(BucketCapability.DURABLE_WRITE))
                .isPresent();
        if (unable && level != DurabilityLevel.NONE) {
            throw new Misconfigured("""
                    %s cannot keep values with durability %s; use Couchbase 6.5 or later, or use durability=none, \
                    which loses acknowledged values on failover""".formatted(place, name(level)));
        }
    }

    /** Returns the location of the documents, for messages. */
    static String place(Collection collection) {
        String keyspace =
                collection.scopeName().equals("_default") && collection.name().equals("_default")
                        ? ""
                        : ", collection " + collection.scopeName() + "." + collection.name();
        return "bucket " + collection.bucketName() + keyspace;
    }

    /** Returns the client's view of the bucket; empty before it has connected. */
    private static Optional<BucketTopology> bucket(Collection collection) {
        return Optional.ofNullable(collection.core().clusterConfig().bucketTopology(collection.bucketName()))
                .map(ClusterTopologyWithBucket::bucket);
    }
}
