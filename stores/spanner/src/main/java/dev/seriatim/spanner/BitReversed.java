// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Exhausted;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.SequenceState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** The engine's bit-reversed sequences, through SQL. Expects valid names. Thread-safe. */
final class BitReversed {

    private static final String START = "start_with_counter";

    private final Ddl ddl;
    private final OwnTransactions transactions;
    private final SpannerFailures failures;

    BitReversed(SpannerDatabase database, SpannerFailures failures) {
        this.failures = failures;
        ddl = new Ddl(database, failures);
        transactions = new OwnTransactions(database, failures);
    }

    /** Returns the next values; when this returns, no other session can get them. */
    List<Long> draw(String name, long count) {
        Statement query = Statement.newBuilder("SELECT GET_NEXT_SEQUENCE_VALUE(SEQUENCE " + Ddl.quoted(name)
                        + ") FROM UNNEST(GENERATE_ARRAY(1, @count))")
                .bind("count")
                .to(count)
                .build();
        return explaining(
                name,
                () -> transactions.retrying(name, transaction -> {
                    List<Long> values = new ArrayList<>();
                    try (ResultSet rows = transaction.executeQuery(query)) {
                        while (rows.next()) {
                            values.add(rows.getLong(0));
                        }
                    }
                    return values;
                }));
    }

    void create(String name, long start, SkipRange skipped) {
        String range = skipped.isPresent()
                ? ", skip_range_min = " + skipped.min() + ", skip_range_max = " + skipped.max()
                : "";
        explaining(
                name,
                () -> ddl.run("CREATE SEQUENCE " + Ddl.quoted(name)
                        + " OPTIONS (sequence_kind = 'bit_reversed_positive', " + START + " = " + start + range + ")"));
    }

    void startWith(String name, long counter) {
        explaining(
                name,
                () -> ddl.run("ALTER SEQUENCE " + Ddl.quoted(name) + " SET OPTIONS (" + START + " = " + counter + ")"));
    }

    void drop(String name) {
        explaining(name, () -> ddl.run("DROP SEQUENCE " + Ddl.quoted(name)));
    }

    SequenceState describe(String name) {
        return state(name, options(name), internal(name));
    }

    /** Returns further properties that the engine reports. */
    Map<String, String> details(String name) {
        Map<String, String> options = options(name);
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

    List<SequenceState> list() {
        List<String> names = transactions.reading(
                "(any)",
                context -> rows(
                        context,
                        Statement.of("SELECT NAME FROM INFORMATION_SCHEMA.SEQUENCES WHERE SCHEMA = '' ORDER BY NAME"),
                        row -> row.getString(0)));
        return names.stream().map(this::describe).toList();
    }

    private Map<String, String> options(String name) {
        Statement query = Statement.newBuilder("SELECT s.NAME, o.OPTION_NAME, o.OPTION_VALUE"
                        + " FROM INFORMATION_SCHEMA.SEQUENCES AS s LEFT JOIN INFORMATION_SCHEMA.SEQUENCE_OPTIONS AS o"
                        + " ON o.SCHEMA = s.SCHEMA AND o.NAME = s.NAME WHERE s.SCHEMA = '' AND s.NAME = @name")
                .bind("name")
                .to(name)
                .build();
        List<Map.Entry<String, String>> found = transactions.reading(
                name,
                context -> rows(
                        context,
                        query,
                        row -> Map.entry(
                                row.isNull(1) ? "" : row.getString(1), row.isNull(2) ? "" : row.getString(2))));
        if (found.isEmpty()) {
            throw new NotFound(name, failures.place());
        }
        Map<String, String> options = new LinkedHashMap<>();
        found.forEach(option -> options.put(option.getKey(), option.getValue()));
        return options;
    }

    /** Returns the counter that is reversed next; empty if nothing has been drawn. */
    private OptionalLong internal(String name) {
        Statement query = Statement.of("SELECT GET_INTERNAL_SEQUENCE_STATE(SEQUENCE " + Ddl.quoted(name) + ")");
        return explaining(
                name,
                () -> transactions
                        .reading(
                                name,
                                context -> rows(
                                        context,
                                        query,
                                        row -> row.isNull(0) ? OptionalLong.empty() : OptionalLong.of(row.getLong(0))))
                        .get(0));
    }

    private SequenceState state(String name, Map<String, String> options, OptionalLong internal) {
        long start = start(name, options);
        SequenceDefinition definition =
                SequenceDefinition.named(name).startWith(start).build();
        if (internal.isEmpty()) {
            return SequenceState.fresh(definition, 0);
        }
        return new SequenceState(definition, internal.getAsLong(), false, 0);
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

    private static <R> List<R> rows(ReadContext context, Statement query, Function<ResultSet, R> read) {
        List<R> found = new ArrayList<>();
        try (ResultSet rows = context.executeQuery(query)) {
            while (rows.next()) {
                found.add(read.apply(rows));
            }
        }
        return found;
    }

    private void explaining(String name, Runnable call) {
        explaining(name, () -> {
            call.run();
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
