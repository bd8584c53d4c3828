// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.msg.kv.DurabilityLevel;
import com.couchbase.client.core.topology.BucketCapability;
import com.couchbase.client.core.topology.BucketTopology;
import com.couchbase.client.core.topology.ClusterTopologyWithBucket;
import com.couchbase.client.core.topology.CouchbaseBucketTopology;
import com.couchbase.client.java.Collection;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceDetails;
import dev.seriatim.store.SequenceState;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * Deals numbers from counters in the documents of a Couchbase collection. A reservation is one atomic call to the node
 * that owns the document. A counter is not part of a transaction, so this store opens none, and numbers that are drawn
 * but not used are missing.
 *
 * <p>{@link CouchbaseOptions.Kind} determines the kind of document. Seriatim's own documents also hold the definition;
 * a bare counter is shared with applications that call {@code increment(key, 1, 1)} on it. Both belong to one cluster:
 * if clusters replicate documents to each other, only one of them may draw. Thread-safe.
 */
public final class CouchbaseStore implements OpenStore, SequenceDetails {

    private final DocumentLayout<?> layout;
    private final NameIndex index;
    private final String place;
    private final String durability;
    private final Runnable closing;
    private volatile boolean closed;

    private CouchbaseStore(Collection collection, CouchbaseOptions options, String place, Runnable closing) {
        this.durability = durability(options, collection);
        this.place = options.path().isEmpty() ? place : place + ", field " + options.path();
        this.closing = closing;
        Documents documents = new Documents(collection.async(), options.durability(), "");
        CouchbaseFailures failures = new CouchbaseFailures(this.place, options.durabilityName(), options.timeout());
        Retries attempts = new Retries(failures, options.timeout());
        Keys keys = Keys.of(options);
        Documents counters = new Documents(collection.async(), options.durability(), options.path());
        this.index = new NameIndex(documents, attempts, keys, place);
        this.layout = options.kind() == CouchbaseOptions.Kind.COUNTER
                ? new BareCounters(counters, attempts, keys, this.place)
                : new OwnDocuments(documents, attempts, keys, place, InstantSource.system());
    }

    /** Opens {@linkplain CouchbaseOptions#sequences() Seriatim's own documents} in the caller's collection. */
    public static CouchbaseStore open(Collection collection) {
        return open(collection, CouchbaseOptions.sequences());
    }

    /**
     * Opens a store on the caller's collection, which is not closed with the store.
     *
     * @throws Misconfigured if the collection is missing, cannot be read, or cannot
     *     provide the requested durability
     * @throws Unavailable if it cannot be reached
     */
    public static CouchbaseStore open(Collection collection, CouchbaseOptions options) {
        String place = place(collection.bucketName(), collection.scopeName(), collection.name());
        return open(collection, options, place, () -> {});
    }

    static CouchbaseStore open(Collection collection, CouchbaseOptions options, String place, Runnable closing) {
        CouchbaseStore store = new CouchbaseStore(collection, options, place, closing);
        store.index.all(); // so that problems with the collection are reported now
        boolean unable = bucket(collection)
                .filter(bucket -> !bucket.hasCapability(BucketCapability.DURABLE_WRITE))
                .isPresent();
        if (unable && options.durability() != DurabilityLevel.NONE) {
            throw new Misconfigured("""
                    %s cannot keep values with durability %s; use Couchbase 6.5 or later, or use durability=none, \
                    which loses acknowledged values on failover""".formatted(place, options.durabilityName()));
        }
        return store;
    }

    /** Describes the durability in a bucket, above all its lack of guarantees. */
    private static String durability(CouchbaseOptions options, Collection collection) {
        if (options.durability() == DurabilityLevel.NONE) {
            return "none: loses acknowledged values on failover";
        }
        boolean alone = options.durability() == DurabilityLevel.MAJORITY
                && bucket(collection)
                        .filter(bucket -> bucket instanceof CouchbaseBucketTopology partitions
                                && partitions.numberOfReplicas() == 0)
                        .isPresent();
        return options.durabilityName()
                + (alone ? " of one copy: loses acknowledged values when its node crashes" : "");
    }

    /** Returns the client's view of the bucket; empty before it has connected. */
    private static Optional<BucketTopology> bucket(Collection collection) {
        return Optional.ofNullable(collection.core().clusterConfig().bucketTopology(collection.bucketName()))
                .map(ClusterTopologyWithBucket::bucket);
    }

    static String place(String bucket, String scope, String collection) {
        boolean unnamed = scope.equals("_default") && collection.equals("_default");
        return "bucket " + bucket + (unnamed ? "" : ", collection " + scope + "." + collection);
    }

    @Override
    public Reservation reserve(String name, long count) {
        return layout().reserve(name, count);
    }

    /** {@inheritDoc} A bare counter accepts any start from 1, but otherwise only the defaults. */
    @Override
    public void create(SequenceDefinition definition) {
        String name = definition.name();
        try {
            layout().create(definition);
        } catch (AlreadyExists e) {
            index.add(name); // an earlier call may have failed before this, or another application created it
            throw e;
        }
        index.add(name);
    }

    @Override
    public SequenceState describe(String name) {
        return layout().read(name).orElseThrow(() -> new NotFound(name, place));
    }

    /** {@inheritDoc} Here: the durability of its values. */
    @Override
    public Map<String, String> details(String name) {
        describe(name);
        return Map.of("durability", durability);
    }

    /**
     * {@inheritDoc} A bucket cannot list its contents without a query service, so the names are kept in a separate
     * document. A bare counter that another application created is not listed, but can be described by its name.
     */
    @Override
    public List<SequenceState> list(BiConsumer<String, Misconfigured> broken) {
        DocumentLayout<?> documents = layout();
        List<SequenceState> states = new ArrayList<>();
        for (String name : index.all()) {
            try {
                documents.read(name).ifPresent(states::add);
            } catch (Misconfigured e) {
                broken.accept(name, e);
            }
        }
        return states;
    }

    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return rewritten(name, state -> state.redefined(change.apply(state.definition())));
    }

    @Override
    public SequenceState raise(String name, long value) {
        return rewritten(name, state -> state.raisedTo(value));
    }

    /**
     * {@inheritDoc} A bare counter cannot hold the epoch: running instances treat the lower values as a lossy failover
     * and stop. Restart one only while nothing draws from it.
     */
    @Override
    public SequenceState restart(String name, long value) {
        return rewritten(name, state -> state.restartedWith(value));
    }

    @Override
    public void drop(String name) {
        try {
            describe(name); // checks its kind
        } catch (NotFound e) {
            throw e.whenDropped();
        }
        // In this order, so that a sequence created in the meantime is listed after it is written.
        index.remove(name);
        layout().remove(name);
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return layout().rewrite(name, state -> state.giveBack(unused, epoch)).isPresent();
    }

    @Override
    public String toString() {
        return "Couchbase, " + place + ", durability " + durability;
    }

    /** Disconnects if the store was opened from a URL; the caller's collection stays connected. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            closing.run();
        }
    }

    private SequenceState rewritten(String name, UnaryOperator<SequenceState> change) {
        return layout().rewrite(name, state -> Optional.of(change.apply(state))).orElseThrow();
    }

    private DocumentLayout<?> layout() {
        if (closed) {
            throw new Unavailable("the store on " + place + " is closed; open another one", null);
        }
        return layout;
    }
}
