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

/** The levels of durability, by the names they have in a URL. */
final class DurabilityLevels {

    private static final Map<String, DurabilityLevel> LEVELS = new TreeMap<>(Map.of(
            "none", DurabilityLevel.NONE,
            "majority", DurabilityLevel.MAJORITY,
            "majority-and-persist", DurabilityLevel.MAJORITY_AND_PERSIST_TO_ACTIVE,
            "persist-to-majority", DurabilityLevel.PERSIST_TO_MAJORITY));

    private DurabilityLevels() {}

    /** The level of a name; empty when there is none. */
    static Optional<DurabilityLevel> named(String name) {
        return Optional.ofNullable(LEVELS.get(name));
    }

    /** All names, for people. */
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

    /** What a level means in a bucket, for people: above all, what it does not promise. */
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
     * Refuses a level that a bucket does not know.
     *
     * @throws Misconfigured when the bucket has no durable writes, but they were asked for
     */
    static void check(DurabilityLevel level, Collection collection, String place) {
        boolean unable = bucket(collection)
                .filter(bucket -> !bucket.hasCapability(BucketCapability.DURABLE_WRITE))
                .isPresent();
        if (unable && level != DurabilityLevel.NONE) {
            throw new Misconfigured(place + " cannot keep values with durability " + name(level)
                    + "; use Couchbase 6.5 or later, or ask for durability=none, which loses acknowledged values on"
                    + " failover");
        }
    }

    /** Where the documents are, for people. */
    static String place(Collection collection) {
        String keyspace =
                collection.scopeName().equals("_default") && collection.name().equals("_default")
                        ? ""
                        : ", collection " + collection.scopeName() + "." + collection.name();
        return "bucket " + collection.bucketName() + keyspace;
    }

    /** What the client has learnt of the bucket; empty as long as it has not been there. */
    private static Optional<BucketTopology> bucket(Collection collection) {
        return Optional.ofNullable(collection.core().clusterConfig().bucketTopology(collection.bucketName()))
                .map(ClusterTopologyWithBucket::bucket);
    }
}
