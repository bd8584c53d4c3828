// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.OpenSequence;
import dev.seriatim.jdbc.JdbcSequences;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/** The open sequences of one database or schema. Calls the database under no lock. Thread-safe. */
final class OpenSequences implements AutoCloseable {

    private final JdbcSequences sequences;
    private final boolean owned;
    private final SchemaAction schema;
    private final ConcurrentMap<String, NumberSource> open = new ConcurrentHashMap<>();

    OpenSequences(JdbcSequences sequences, boolean owned, SchemaAction schema) {
        this.sequences = sequences;
        this.owned = owned;
        this.schema = schema;
    }

    /** Returns whether one transaction at a time writes to the database. */
    boolean hasOneWriter() {
        return sequences.store().hasOneWriter();
    }

    /** Returns a sequence. The first time, creates it or checks that it exists. */
    NumberSource source(SequenceRequest request) {
        NumberSource source = open.get(request.name());
        if (source != null) {
            return source;
        }
        prepare(request);
        return opened(NumberSource.open(sequences, request, request.name()));
    }

    /** Returns a tenant's sequence. The first time, creates it if it is missing. */
    NumberSource source(SequenceRequest request, Object tenant) {
        String name = request.of(tenant);
        NumberSource source = open.get(name);
        if (source != null) {
            return source;
        }
        if (hasOneWriter()) {
            NumberSource within = NumberSource.created(sequences.store(), name, request.name());
            return opened(new NumberSource(
                    name,
                    session -> session.isTransactionInProgress() || request.guarantee() == Guarantee.GAPLESS
                            ? within.next(session)
                            : defined(request, name).next(session)));
        }
        return opened(defined(request, name));
    }

    private NumberSource defined(SequenceRequest request, String name) {
        prepare(request);
        SequenceDefinition like = sequences.store().describe(request.name()).definition();
        sequences.define(new SequenceDefinition(
                name, like.start(), like.increment(), like.min(), like.max(), like.cycle(), like.cache()));
        return NumberSource.open(sequences, request, name);
    }

    private NumberSource opened(NumberSource source) {
        // Opening twice returns the same sequence, so a race is harmless.
        NumberSource first = open.putIfAbsent(source.name(), source);
        return first == null ? source : first;
    }

    /** Creates the sequence if this is the schema tool's job, and otherwise checks that it exists. */
    private void prepare(SequenceRequest request) {
        if (request.guarantee() == Guarantee.GAPLESS) {
            sequences.store().whyNotGapless().ifPresent(why -> {
                throw new SequenceException.Misconfigured(request.name(), "cannot be gapless: " + why);
            });
        }
        if (schema.creates()) {
            sequences.define(SequenceDefinition.of(request.name()));
            return;
        }
        try {
            sequences.store().describe(request.name());
        } catch (SequenceException.NotFound missing) {
            throw new SequenceException.Misconfigured(
                    missing.getMessage() + ", with 'seriatim create " + request.name()
                            + "', or set hibernate.hbm2ddl.auto to update",
                    missing);
        }
    }

    /**
     * Restarts the sequence, and those of its tenants, whose rows the schema tool has dropped. Skips open sequences:
     * their reserved values would be dealt again after the restart.
     */
    void restart(SequenceRequest request) {
        Set<String> inUse = request.guarantee() == Guarantee.GAPLESS
                ? Set.of()
                : sequences.opened().stream().map(OpenSequence::name).collect(Collectors.toSet());
        if (!sequences.define(SequenceDefinition.of(request.name()))) {
            sequences.store().list().stream()
                    .map(state -> state.definition())
                    .filter(definition -> request.covers(definition.name()) && !inUse.contains(definition.name()))
                    .forEach(definition -> sequences.store().restart(definition.name(), definition.start()));
        }
    }

    @Override
    public void close() {
        if (owned) {
            sequences.close();
        }
    }
}
