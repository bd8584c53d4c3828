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
import dev.seriatim.store.UnorderedStore;
import dev.seriatim.table.SequenceTable;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Deals from the database's own sequences, {@code CREATE SEQUENCE … OPTIONS (sequence_kind='bit_reversed_positive')}: their
 * counter's low 63 bits, reversed, which spreads keys over all of Spanner. Shared with SQL that calls {@code
 * GET_NEXT_SEQUENCE_VALUE}. Unique, and neither ordered nor gapless, whatever the mode.
 *
 * <p>What the catalogue says (start, next value, {@link #raise}, {@link #restart}) is about the counter; what is dealt are
 * its reversed values, so every block holds one of them. A reservation of many asks for all of them at once and hands them
 * out with the reservations that follow; those not handed out when the store is closed are lost.
 *
 * <p>Thread-safe. Closing it closes nothing of the caller's.
 */
public final class SpannerNativeStore implements OpenStore, SequenceDetails, UnorderedStore {

    /** So many values are asked for at once, at most. */
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
     * @param spanner stays the caller's
     * @throws Misconfigured when there is no such database, or no right to use it
     * @throws dev.seriatim.SequenceException.Unavailable when it does not answer
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
        // Each in an epoch of its own: a reversed value below the one before is no sign of a counter that went back.
        return new Reservation(new Block(value, 1, 1), SequenceDefinition.of(name), epoch.incrementAndGet());
    }

    /**
     * Creates a sequence: from a start on, by 1, up to 2<sup>63</sup>-1.
     *
     * @throws Misconfigured when the definition asks for anything else, or the name is no plain identifier
     */
    @Override
    public void create(SequenceDefinition definition) {
        String name = checked(definition.name());
        SequenceDefinition held = SequenceDefinition.named(name)
                .startWith(definition.start())
                .cache(definition.cache())
                .build();
        if (!held.equals(definition)) {
            throw new Misconfigured(
                    name,
                    "a bit-reversed sequence counts from its start by 1 up to 2^63-1 and does not cycle; ask for that, or use"
                            + " a table (without sequences=native)");
        }
        sequences.create(name, definition.start(), skipped);
    }

    /** {@inheritDoc} The next value is that of the counter; it has not been reversed. */
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

    /** Changes nothing: the engine keeps nothing of the definition but the start. */
    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        SequenceState state = describe(name);
        if (!change.apply(state.definition()).equals(state.definition())) {
            throw new Misconfigured(name, "a bit-reversed sequence has nothing to alter; raise or restart its counter");
        }
        return state;
    }

    /** {@inheritDoc} The value is one of the counter. Values that this store has asked for and not handed out are lost. */
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

    /** {@inheritDoc} The value is one of the counter. Values that this store has asked for and not handed out are lost. */
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

    /** Always false: the engine takes nothing back. */
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

    /** Sequences there are named by identifiers; any other name can only be of one that is not there. */
    private String checked(String name) {
        if (!SequenceTable.isIdentifier(name)) {
            throw new NotFound(
                    SequenceDefinition.checkName(name), failures.place() + " (names there are plain identifiers)");
        }
        return name;
    }
}
