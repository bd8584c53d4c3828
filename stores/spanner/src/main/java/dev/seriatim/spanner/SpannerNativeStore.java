// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.TransactionContext;
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
import java.util.Arrays;
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
 * Deals from the database's own sequences, {@code CREATE SEQUENCE … BIT_REVERSED_POSITIVE}, in either dialect: the low 63
 * bits of a counter, reversed, which spreads keys over all of Spanner. Shared with SQL that calls
 * {@code GET_NEXT_SEQUENCE_VALUE} or {@code nextval}. Unique, but neither ordered nor gapless in any mode.
 *
 * <p>The catalogue (start, next value, {@link #restart}) refers to the counter. Dealt values are reversed, so every block
 * holds one value: a reservation of many requests them all at once and returns one. Values left when the store is closed are
 * lost.
 *
 * <p>A sequence in a named schema is {@code SCHEMA.NAME}. The catalogue also has identity columns, as {@code TABLE.COLUMN} or
 * {@code SCHEMA.TABLE.COLUMN}; only inserts draw from them. Thread-safe. Closing it does not close the caller's client.
 */
public final class SpannerNativeStore implements OpenStore, SequenceDetails {

    private static final long LARGEST_DRAW = 10_000;

    private static final int LONGEST_PATH = 3;

    private final SpannerDatabase database;
    private final SqlDialect sql;
    private final Optional<SkipRange> skipped;
    private final Runnable atClose;
    private final SpannerFailures failures;
    private final AtomicLong epoch = new AtomicLong();
    private final ConcurrentMap<String, Queue<Long>> drawn = new ConcurrentHashMap<>();

    /** The values from {@code min} to {@code max}, which a sequence does not deal. */
    record SkipRange(long min, long max) {}

    /** A sequence or an identity column in the catalogue; its texts are empty if they are not set. */
    private record Entry(String name, String kind, String start, String lowest, String highest) {

        static Entry of(ResultSet row) {
            String[] cells = new String[5];
            Arrays.setAll(cells, i -> row.isNull(i) ? "" : row.getString(i));
            return new Entry(cells[0], cells[1], cells[2], cells[3], cells[4]);
        }
    }

    /** A counter; {@code next} is reversed next, and empty if nothing has been drawn. */
    private record Counter(OptionalLong next, boolean identity) {}

    /** {@code skipped} is the skip range of sequences that this store creates or alters. */
    SpannerNativeStore(SpannerDatabase database, Optional<SkipRange> skipped, Runnable atClose) {
        this.database = database;
        this.skipped = skipped;
        this.atClose = atClose;
        sql = database.sql();
        failures = database.failures();
    }

    /**
     * Opens the sequences of a database. Closing them does not close the client.
     *
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
        Statement query = sql.draw(name, count);
        Function<TransactionContext, List<Long>> work = transaction -> rows(transaction, query, row -> row.getLong(0));
        try {
            return explaining(name, () -> database.retrying(name, work));
        } catch (NotFound e) {
            throw isIdentity(name) ? new Misconfigured(name, """
                            only an INSERT draws from an identity column; leave the column out, and return it""", e) : e;
        }
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
        String range = skipped.map(values -> " " + sql.skips(values)).orElse("");
        ddl(
                name,
                "CREATE SEQUENCE " + ofItsOwn(name) + " BIT_REVERSED_POSITIVE" + range + " START COUNTER WITH "
                        + definition.start());
    }

    @Override
    public boolean ordered() {
        return false;
    }

    /** {@inheritDoc} The next value is the counter's, before reversal. */
    @Override
    public SequenceState describe(String name) {
        return state(entry(name));
    }

    private SequenceState state(Entry entry) {
        long start = start(entry);
        SequenceDefinition definition =
                SequenceDefinition.named(entry.name()).startWith(start).build();
        return new SequenceState(definition, counter(entry.name()).next().orElse(start), false, 0);
    }

    @Override
    public Map<String, String> details(String name) {
        Entry entry = entry(name);
        Counter counter = counter(name);
        long next = counter.next().orElse(start(entry));
        Map<String, String> details = new LinkedHashMap<>();
        String kind =
                entry.kind().isEmpty() ? "bit_reversed_positive" : entry.kind().toLowerCase(Locale.ROOT);
        details.put("kind", counter.identity() ? "identity column, " + kind : kind);
        details.put("counter", counter.next().isPresent() ? Long.toString(next) : "not used yet");
        details.put("deals next", Long.toString(Long.reverse(next) >>> 1));
        if (!entry.lowest().isEmpty()) {
            details.put("skips", entry.lowest() + " … " + entry.highest());
        }
        return details;
    }

    @Override
    public List<SequenceState> list(BiConsumer<String, Misconfigured> broken) {
        List<SequenceState> states = new ArrayList<>();
        for (Entry entry : read("(any)", Statement.of(sql.numbered() + " ORDER BY name"), Entry::of)) {
            try {
                checked(entry.name());
                states.add(state(entry));
            } catch (Misconfigured e) {
                broken.accept(entry.name(), e);
            }
        }
        return states;
    }

    /** Sets the skip range, if the store's URL names one. Of the definition, the engine stores only the start. */
    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        SequenceState state = describe(name);
        if (!change.apply(state.definition()).equals(state.definition())) {
            throw new Misconfigured(name, """
                    of a bit-reversed sequence only the skip range can be altered (skip-range-min and skip-range-max in \
                    the URL); restart its counter""");
        }
        skipped.ifPresent(range -> {
            change(name, "SET ", sql.skips(range), """
                    SET OPTIONS (skip_range_min = %s, skip_range_max = %s)""".formatted(range.min(), range.max()));
            drawn.remove(name);
        });
        return state;
    }

    /** Refuses: Spanner only sets the counter, which would go back if others drew past the value meanwhile. */
    @Override
    public SequenceState raise(String name, long value) {
        var unused = describe(name);
        throw new Misconfigured(name, "Spanner cannot raise it while others draw; stop them, and restart it");
    }

    /** {@inheritDoc} The value is the counter's. Values that this store has requested but not returned are lost. */
    @Override
    public SequenceState restart(String name, long value) {
        SequenceState restarted = describe(name).restartedWith(value);
        change(name, "", "RESTART COUNTER WITH " + value, "SET OPTIONS (start_with_counter = " + value + ")");
        drawn.remove(name);
        return restarted;
    }

    @Override
    public void drop(String name) {
        try {
            describe(name);
            ddl(name, "DROP SEQUENCE " + ofItsOwn(name));
        } catch (NotFound e) {
            throw e.whenDropped();
        }
        drawn.remove(name);
    }

    /** Always returns false, because the engine cannot take values back. */
    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return false;
    }

    @Override
    public String toString() {
        return "Spanner's bit-reversed sequences, " + failures.database() + " (neither ordered nor gapless)";
    }

    @Override
    public void close() {
        atClose.run();
    }

    /** Alters a sequence, or an identity column with the verb before the clause. */
    private void change(String name, String verb, String clause, String option) {
        if (isIdentity(name)) {
            int dot = name.lastIndexOf('.');
            ddl(
                    name,
                    "ALTER TABLE " + sql.quoted(name.substring(0, dot)) + " ALTER COLUMN "
                            + sql.quoted(name.substring(dot + 1)) + " " + sql.alterIdentity() + verb + clause);
            return;
        }
        String sequence = "ALTER SEQUENCE " + sql.quoted(name) + " ";
        try {
            ddl(name, sequence + clause);
        } catch (Misconfigured e) {
            // A sequence that was created with OPTIONS is altered with OPTIONS only.
            if (!String.valueOf(e.getMessage()).contains("either clauses and options")) {
                throw e;
            }
            ddl(name, sequence + option);
        }
    }

    /** Checks a name. Sequences and columns are named by identifiers, so none can have any other name. */
    private String checked(String name) {
        String[] parts = SequenceDefinition.checkName(name).split("\\.", -1);
        if (parts.length > LONGEST_PATH || !Arrays.stream(parts).allMatch(SequenceTable::isIdentifier)) {
            throw new NotFound(
                    name, failures.database() + " (names must be plain identifiers, SCHEMA.NAME or TABLE.COLUMN)");
        }
        sql.checkSequence(name);
        return name;
    }

    /** Returns the quoted name of a sequence that may be created or dropped; refuses that of an identity column. */
    private String ofItsOwn(String name) {
        if (isIdentity(name)) {
            throw new Misconfigured(name, """
                    an identity column's sequence is created and dropped with the column; name another sequence""");
        }
        return sql.quoted(name);
    }

    /** Returns the catalogue's entry. The emulator has none of an identity column, so that of a path may be empty. */
    private Entry entry(String name) {
        Statement query = Statement.newBuilder("SELECT * FROM (" + sql.numbered()
                        + ") AS numbered WHERE LOWER(name) = LOWER(" + sql.parameter() + ")")
                .bind("p1")
                .to(checked(name))
                .build();
        List<Entry> found = read(name, query, Entry::of);
        if (found.isEmpty() && !name.contains(".")) {
            throw new NotFound(name, failures.database());
        }
        return found.isEmpty() ? new Entry(name, "", "", "", "") : found.get(0);
    }

    /** Reads the counter of a sequence, otherwise of an identity column. Throws {@link NotFound} if there is neither. */
    private Counter counter(String name) {
        try {
            return new Counter(next(name, sql.counter(name)), false);
        } catch (NotFound e) {
            if (!name.contains(".")) {
                throw e;
            }
            return new Counter(next(name, sql.identityCounter(name)), true);
        }
    }

    private OptionalLong next(String name, String counter) {
        Function<ResultSet, OptionalLong> next =
                row -> row.isNull(0) ? OptionalLong.empty() : OptionalLong.of(row.getLong(0));
        return explaining(
                name, () -> read(name, Statement.of("SELECT " + counter), next).get(0));
    }

    private boolean isIdentity(String name) {
        try {
            return name.contains(".") && counter(name).identity();
        } catch (NotFound e) {
            return false;
        }
    }

    private static long start(Entry entry) {
        try {
            String start = entry.start();
            return start.isEmpty() || start.equals("NULL") ? 1 : Math.max(1, Long.parseLong(start));
        } catch (NumberFormatException e) {
            throw new Misconfigured(
                    entry.name(),
                    "its counter's start is '" + entry.start() + "', which is not a number; restart the sequence",
                    e);
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

    private <R> R explaining(String name, Supplier<R> call) {
        try {
            return call.get();
        } catch (SequenceException e) {
            if (!(e.getCause() instanceof SpannerException cause)) {
                throw e;
            }
            String said = SpannerFailures.said(cause).toLowerCase(Locale.ROOT);
            if (said.matches(".*(?:sequence not found|table not found for the|identity column not found).*")) {
                throw new NotFound(name, failures.database());
            }
            if (said.contains("duplicate name in schema") || said.contains("already exists")) {
                throw new AlreadyExists(name, failures.database());
            }
            if (said.contains("exhausted")) {
                throw new Exhausted(SequenceDefinition.of(name));
            }
            throw e;
        }
    }
}
