// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceDetails;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.SequenceTable;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Deals from the database's own sequences, {@code CREATE SEQUENCE … OPTIONS (sequence_kind='bit_reversed_positive')}.
 * Values are the low 63 bits of the counter, reversed, which distributes keys over all of Spanner. They are shared with
 * SQL that calls {@code GET_NEXT_SEQUENCE_VALUE}. Unique, but neither ordered nor gapless in any mode.
 *
 * <p>The catalogue (start, next value, {@link #raise}, {@link #restart}) refers to the counter. Dealt values are
 * reversed, so every block holds one value. A reservation of many values requests them all at once and returns one per
 * reservation; values left when the store is closed are lost.
 *
 * <p>Thread-safe. Closing it does not close the caller's client.
 */
public final class SpannerNativeStore implements OpenStore, SequenceDetails {

    /** Maximum number of values per request. */
    private static final long LARGEST_DRAW = 10_000;

    private final BitReversed sequences;
    private final SkipRange skipped;
    private final Runnable atClose;
    private final SpannerFailures failures;
    private final AtomicLong epoch = new AtomicLong();
    private final ConcurrentMap<String, Queue<Long>> drawn = new ConcurrentHashMap<>();

    SpannerNativeStore(SpannerDatabase database, SkipRange skipped, Runnable atClose) {
        this.skipped = skipped;
        this.atClose = atClose;
        failures = new SpannerFailures(database.id().getName(), database.id().getName(), database.patience());
        sequences = new BitReversed(database, failures);
    }

    /**
     * Opens the sequences of a database.
     *
     * @param spanner the client, which is not closed with the store
     * @throws Misconfigured if the database does not exist, or the account lacks the rights to use it
     * @throws dev.seriatim.SequenceException.Unavailable if it does not answer
     */
    public static SpannerNativeStore open(Spanner spanner, DatabaseId database) {
        return new SpannerNativeStore(
                SpannerDatabase.reached(spanner, database, SpannerDatabase.PATIENCE), SkipRange.NONE, () -> {});
    }

    @Override
    public Reservation reserve(String name, long count) {
        long wanted = SequenceStore.checkCount(name, count) == CACHE ? SequenceDefinition.DEFAULT_CACHE : count;
        Queue<Long> values = drawn.computeIfAbsent(checked(name), absent -> new ConcurrentLinkedQueue<>());
        Long value = values.poll();
        if (value == null) {
            List<Long> fresh = sequences.draw(name, Math.min(wanted, LARGEST_DRAW));
            value = fresh.get(0);
            values.addAll(fresh.subList(1, fresh.size()));
        }
        // Each has its own epoch: a reversed value below the previous one does not mean that the counter went back.
        return new Reservation(new Block(value, 1, 1), SequenceDefinition.of(name), epoch.incrementAndGet());
    }

    /**
     * Creates a sequence that counts by 1 from its start up to 2<sup>63</sup>-1.
     *
     * @throws Misconfigured if the definition requests anything else, or the name is not a plain identifier
     */
    @Override
    public void create(SequenceDefinition definition) {
        String name = checked(definition.name());
        SequenceDefinition held = SequenceDefinition.named(name)
                .startWith(definition.start())
                .cache(definition.cache())
                .build();
        if (!held.equals(definition)) {
            throw new Misconfigured(name, """
                    a bit-reversed sequence counts from its start by 1 up to 2^63-1 and does not cycle; use that \
                    definition, or use a table (without sequences=native)""");
        }
        sequences.create(name, definition.start(), skipped);
    }

    @Override
    public boolean ordered() {
        return false;
    }

    /** {@inheritDoc} The next value is the counter's, before reversal. */
    @Override
    public SequenceState describe(String name) {
        return sequences.describe(checked(name));
    }

    @Override
    public Map<String, String> details(String name) {
        return sequences.details(checked(name));
    }

    @Override
    public List<SequenceState> list() {
        return sequences.list();
    }

    /** Changes nothing: of the definition, the engine stores only the start. */
    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        SequenceState state = describe(name);
        if (!change.apply(state.definition()).equals(state.definition())) {
            throw new Misconfigured(name, "a bit-reversed sequence cannot be altered; raise or restart its counter");
        }
        return state;
    }

    /** {@inheritDoc} The value is the counter's. Values that this store has requested but not returned are lost. */
    @Override
    public SequenceState raise(String name, long value) {
        SequenceState before = describe(name);
        SequenceState raised = before.raisedTo(value);
        if (raised.nextValue() != before.nextValue()) {
            sequences.startWith(name, value);
        }
        forget(name);
        return raised;
    }

    /** {@inheritDoc} The value is the counter's. Values that this store has requested but not returned are lost. */
    @Override
    public SequenceState restart(String name, long value) {
        SequenceState restarted = describe(name).restartedWith(value);
        sequences.startWith(name, value);
        forget(name);
        return restarted;
    }

    @Override
    public void drop(String name) {
        try {
            sequences.drop(checked(name));
            forget(name);
        } catch (NotFound e) {
            throw e.whenDropped();
        }
    }

    /** Always returns false, because the engine cannot take values back. */
    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return false;
    }

    @Override
    public String toString() {
        return "Spanner's bit-reversed sequences, " + failures.place() + " (neither ordered nor gapless)";
    }

    @Override
    public void close() {
        atClose.run();
    }

    private void forget(String name) {
        drawn.remove(name);
    }

    /** Checks a name. Sequences are named by identifiers, so no sequence can have any other name. */
    private String checked(String name) {
        if (!SequenceTable.isIdentifier(name)) {
            throw new NotFound(
                    SequenceDefinition.checkName(name), failures.place() + " (names must be plain identifiers)");
        }
        return name;
    }
}
