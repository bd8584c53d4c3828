// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.java.Collection;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceDetails;
import dev.seriatim.store.SequenceState;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.UnaryOperator;

/**
 * Deals numbers from counters in the documents of a Couchbase collection: a reservation is one atomic call to the node that
 * owns the document. A counter is not part of a transaction, so this store opens none: numbers that are drawn and then not
 * used are missing.
 *
 * <p>{@link CouchbaseOptions.Kind} says what a document is. One of our own holds the definition, too; a bare counter is shared
 * with applications that call {@code increment(key, 1, 1)} on it. Both belong to one cluster: where clusters replicate
 * documents to each other, only one of them may draw.
 *
 * <p>Thread-safe.
 */
public final class CouchbaseStore implements OpenStore, SequenceDetails {

    private final DocumentLayout layout;
    private final NameIndex index;
    private final Missing missing;
    private final String description;
    private final Map<String, String> details;
    private final Runnable closing;
    private volatile boolean closed;

    private CouchbaseStore(Collection collection, CouchbaseOptions options, String place, Runnable closing) {
        String durability = DurabilityLevels.describe(options.durability(), collection);
        this.description = "Couchbase, " + place + ", durability " + durability;
        this.details = Map.of("durability", durability);
        this.closing = closing;
        Documents documents = new Documents(collection.async(), options.durability());
        CouchbaseFailures failures =
                new CouchbaseFailures(place, DurabilityLevels.name(options.durability()), options.timeout());
        Retries attempts = new Retries(failures, options.timeout());
        Keys keys = Keys.of(options);
        this.missing = new Missing(place, keys);
        this.index = new NameIndex(documents, attempts, keys, place);
        this.layout = options.kind() == CouchbaseOptions.Kind.COUNTER
                ? new BareCounters(documents, attempts, keys, missing)
                : new OwnDocuments(
                        new StampedDocuments(documents, keys, missing), attempts, missing, InstantSource.system());
    }

    /**
     * Opens a store of {@linkplain CouchbaseOptions#sequences() documents of our own} on a collection of the caller's, which
     * stays the caller's.
     *
     * @throws dev.seriatim.SequenceException.Misconfigured when the collection is missing, may not be read, or cannot keep
     *     values on a majority of its nodes
     * @throws Unavailable when it cannot be reached
     */
    public static CouchbaseStore open(Collection collection) {
        return open(collection, CouchbaseOptions.sequences());
    }

    /**
     * Opens a store on a collection of the caller's, which stays the caller's.
     *
     * @throws dev.seriatim.SequenceException.Misconfigured when the collection is missing, may not be read, or cannot keep
     *     values as durably as was asked for
     * @throws Unavailable when it cannot be reached
     */
    public static CouchbaseStore open(Collection collection, CouchbaseOptions options) {
        return open(collection, options, DurabilityLevels.place(collection), () -> {});
    }

    static CouchbaseStore open(Collection collection, CouchbaseOptions options, String place, Runnable closing) {
        CouchbaseStore store = new CouchbaseStore(collection, options, place, closing);
        store.index.all(); // so that what is wrong with the place is told now
        DurabilityLevels.check(options.durability(), collection, place);
        return store;
    }

    @Override
    public Reservation reserve(String name, long count) {
        return layout().reserve(name, count);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A bare counter has room for any start from 1, but for nothing else that differs from the defaults.
     */
    @Override
    public void create(SequenceDefinition definition) {
        String name = definition.name();
        try {
            layout().create(definition);
        } catch (AlreadyExists e) {
            index.add(name); // whose creator may not have come so far, or which others created
            throw e;
        }
        index.add(name);
    }

    @Override
    public SequenceState describe(String name) {
        return layout().read(name).orElseThrow(() -> missing.sequence(name));
    }

    /** {@inheritDoc} Here: how durable its values are. */
    @Override
    public Map<String, String> details(String name) {
        describe(name);
        return details;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A bucket cannot say what is in it without a query service, so the names are kept in a document of their own. A bare
     * counter that another application created is not listed, and described by its name all the same.
     */
    @Override
    public List<SequenceState> list() {
        DocumentLayout documents = layout();
        SortedSet<String> names = index.all();
        return names.stream().map(documents::read).flatMap(Optional::stream).toList();
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
     * {@inheritDoc}
     *
     * <p>A bare counter has no room for the epoch: running instances will take the lower values for a lossy failover and stop.
     * Restart one only while nobody draws.
     */
    @Override
    public SequenceState restart(String name, long value) {
        return rewritten(name, state -> state.restartedWith(value));
    }

    @Override
    public void drop(String name) {
        try {
            describe(name); // which looks at what it is
        } catch (NotFound e) {
            throw e.whenDropped();
        }
        // In this order: what is created anew in the meantime is listed after it was written.
        index.remove(name);
        layout().remove(name);
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return layout().rewrite(name, state -> state.giveBack(unused, epoch)).isPresent();
    }

    @Override
    public String toString() {
        return description;
    }

    /** Disconnects, if the store was opened from a URL; a collection of the caller's stays connected. */
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

    private DocumentLayout layout() {
        if (closed) {
            throw new Unavailable("the store on " + missing.place() + " has been closed; open another one", null);
        }
        return layout;
    }
}
