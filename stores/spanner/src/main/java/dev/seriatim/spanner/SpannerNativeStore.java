// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceDetails;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.SequenceTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
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

    private static final String START = "start_with_counter";

    private final SpannerDatabase database;
    private final Optional<SkipRange> skipped;
    private final Runnable atClose;
    private final SpannerFailures failures;
    private final AtomicLong epoch = new AtomicLong();
    private final ConcurrentMap<String, Queue<Long>> drawn = new ConcurrentHashMap<>();

    /**
     * Values that a new sequence does not deal.
     *
     * @param min the lowest one
     * @param max the highest one
     */
    record SkipRange(long min, long max) {}

    SpannerNativeStore(SpannerDatabase database, Optional<SkipRange> skipped, Runnable atClose) {
        this.database = database.holding(database.id().getName());
        this.skipped = skipped;
        this.atClose = atClose;
        failures = this.database.failures();
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
                SpannerDatabase.reached(spanner, database, SpannerDatabase.PATIENCE), Optional.empty(), () -> {});
    }

    @Override
    public Reservation reserve(String name, long count) {
        long wanted = SequenceStore.checkCount(name, count) == CACHE ? SequenceDefinition.DEFAULT_CACHE : count;
        Queue<Long> values = drawn.computeIfAbsent(checked(name), absent -> new ConcurrentLinkedQueue<>());
        Long value = values.poll();
        if (value == null) {
            List<Long> fresh = draw(name, Math.min(wanted, LARGEST_DRAW));
            value = fresh.get(0);
            values.addAll(fresh.subList(1, fresh.size()));
        }
        // Each has its own epoch: a reversed value below the previous one does not mean that the counter went back.
        return new Reservation(new Block(value, 1, 1), SequenceDefinition.of(name), epoch.incrementAndGet());
    }

    /** Returns the next values; when this returns, no other session can get them. */
    private List<Long> draw(String name, long count) {
        Statement query = Statement.newBuilder("SELECT GET_NEXT_SEQUENCE_VALUE(SEQUENCE " + Cells.quoted(name)
                        + ") FROM UNNEST(GENERATE_ARRAY(1, @count))")
                .bind("count")
                .to(count)
                .build();
        return explaining(
                name, () -> database.retrying(name, transaction -> rows(transaction, query, row -> row.getLong(0))));
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
        String range = skipped.map(
                        values -> ", skip_range_min = " + values.min() + ", skip_range_max = " + values.max())
                .orElse("");
        ddl(
                name,
                "CREATE SEQUENCE " + Cells.quoted(name) + " OPTIONS (sequence_kind = 'bit_reversed_positive', " + START
                        + " = " + definition.start() + range + ")");
    }

    @Override
    public boolean ordered() {
        return false;
    }

    /** {@inheritDoc} The next value is the counter's, before reversal. */
    @Override
    public SequenceState describe(String name) {
        return state(name, options(checked(name)), internal(name));
    }

    @Override
    public Map<String, String> details(String name) {
        Map<String, String> options = options(checked(name));
        OptionalLong internal = internal(name);
        long next = state(name, options, internal).nextValue();
        Map<String, String> details = new LinkedHashMap<>();
        details.put("kind", options.getOrDefault("sequence_kind", "bit_reversed_positive"));
        details.put("counter", internal.isPresent() ? Long.toString(internal.getAsLong()) : "not used yet");
        details.put("deals next", Long.toString(Long.reverse(next) >>> 1));
        if (options.containsKey("skip_range_min")) {
            details.put("skips", options.get("skip_range_min") + " … " + options.get("skip_range_max"));
        }
        return details;
    }

    @Override
    public List<SequenceState> list(BiConsumer<String, Misconfigured> broken) {
        Statement names = Statement.of("SELECT NAME FROM INFORMATION_SCHEMA.SEQUENCES WHERE SCHEMA = '' ORDER BY NAME");
        return read("(any)", names, row -> row.getString(0)).stream()
                .map(this::describe)
                .toList();
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
            startWith(name, value);
        }
        drawn.remove(name);
        return raised;
    }

    /** {@inheritDoc} The value is the counter's. Values that this store has requested but not returned are lost. */
    @Override
    public SequenceState restart(String name, long value) {
        SequenceState restarted = describe(name).restartedWith(value);
        startWith(name, value);
        drawn.remove(name);
        return restarted;
    }

    @Override
    public void drop(String name) {
        try {
            ddl(name, "DROP SEQUENCE " + Cells.quoted(checked(name)));
            drawn.remove(name);
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

    private void startWith(String name, long counter) {
        ddl(name, "ALTER SEQUENCE " + Cells.quoted(name) + " SET OPTIONS (" + START + " = " + counter + ")");
    }

    /** Checks a name. Sequences are named by identifiers, so no sequence can have any other name. */
    private String checked(String name) {
        if (!SequenceTable.isIdentifier(name)) {
            throw new NotFound(
                    SequenceDefinition.checkName(name), failures.place() + " (names must be plain identifiers)");
        }
        return name;
    }

    private Map<String, String> options(String name) {
        Statement query = Statement.newBuilder("SELECT s.NAME, o.OPTION_NAME, o.OPTION_VALUE"
                        + " FROM INFORMATION_SCHEMA.SEQUENCES AS s LEFT JOIN INFORMATION_SCHEMA.SEQUENCE_OPTIONS AS o"
                        + " ON o.SCHEMA = s.SCHEMA AND o.NAME = s.NAME WHERE s.SCHEMA = '' AND s.NAME = @name")
                .bind("name")
                .to(name)
                .build();
        Map<String, String> options = new HashMap<>();
        read(
                name,
                query,
                row -> options.put(row.isNull(1) ? "" : row.getString(1), row.isNull(2) ? "" : row.getString(2)));
        if (options.isEmpty()) {
            throw new NotFound(name, failures.place());
        }
        return options;
    }

    /** Returns the counter that is reversed next; empty if nothing has been drawn. */
    private OptionalLong internal(String name) {
        Statement query = Statement.of("SELECT GET_INTERNAL_SEQUENCE_STATE(SEQUENCE " + Cells.quoted(name) + ")");
        return explaining(
                name,
                () -> read(name, query, row -> row.isNull(0) ? OptionalLong.empty() : OptionalLong.of(row.getLong(0)))
                        .get(0));
    }

    private SequenceState state(String name, Map<String, String> options, OptionalLong internal) {
        long start = start(name, options);
        SequenceDefinition definition =
                SequenceDefinition.named(name).startWith(start).build();
        return new SequenceState(definition, internal.orElse(start), false, 0);
    }

    private static long start(String name, Map<String, String> options) {
        String start = options.getOrDefault(START, "");
        try {
            return start.isEmpty() || start.equals("NULL") ? 1 : Math.max(1, Long.parseLong(start));
        } catch (NumberFormatException e) {
            throw new Misconfigured(
                    name, "its " + START + " is '" + start + "', which is not a number; restart the sequence", e);
        }
    }

    private <R> List<R> read(String name, Statement query, Function<ResultSet, R> read) {
        return database.reading(name, context -> rows(context, query, read));
    }

    private static <R> List<R> rows(ReadContext context, Statement query, Function<ResultSet, R> read) {
        List<R> found = new ArrayList<>();
        try (ResultSet rows = context.executeQuery(query)) {
            while (rows.next()) {
                found.add(read.apply(rows));
            }
        }
        return found;
    }

    private void ddl(String name, String statement) {
        explaining(name, () -> {
            database.alter(statement);
            return name;
        });
    }

    /** Runs a call and translates the engine's exceptions. */
    private <R> R explaining(String name, Supplier<R> call) {
        try {
            return call.get();
        } catch (SequenceException e) {
            if (!(e.getCause() instanceof SpannerException cause)) {
                throw e;
            }
            String said = SpannerFailures.said(cause).toLowerCase(Locale.ROOT);
            if (said.contains("sequence not found")) {
                throw new NotFound(name, failures.place());
            }
            if (said.contains("duplicate name in schema") || said.contains("already exists")) {
                throw new AlreadyExists(name, failures.place());
            }
            if (said.contains("exhausted")) {
                throw new Exhausted(SequenceDefinition.of(name));
            }
            throw e;
        }
    }
}
