// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.core.error.ParsingFailureException;
import com.couchbase.client.core.error.context.QueryErrorContext;
import com.couchbase.client.java.Scope;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.query.QueryOptions;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Deals from the SQL++ sequences of a scope, {@code CREATE SEQUENCE}, in Couchbase Server 7.6 or later. The values are
 * shared with statements that use {@code NEXTVAL FOR}. <em>Written to Couchbase's documentation; never run on a
 * server.</em> Unique, but neither ordered nor gapless in any mode: each query node deals from a block of its own, of
 * {@code cache} values.
 *
 * <ul>
 *   <li>A reservation of many values is one query with a row for each, since {@code NEXTVAL} counts once per document
 *       of a query. It returns one value per reservation; values left when the store is closed are lost, and so are
 *       those of a query whose answer is lost.
 *   <li>The catalogue keeps no start, and {@link #describe} shows the next block of any node as the next value.
 *   <li>Nodes see an alteration a moment later. Restart a sequence only while nothing draws from it.
 *   <li>{@code PREVVAL} is not used, since the server may reserve a block for it.
 * </ul>
 *
 * <p>Sources: <a href="https://docs.couchbase.com/server/7.6/n1ql/n1ql-language-reference/createsequence.html">CREATE
 * SEQUENCE</a> and <a
 * href="https://docs.couchbase.com/server/7.6/n1ql/n1ql-language-reference/sequenceops.html">Sequence Operators</a>;
 * for error codes and the durability of blocks, {@code sequences.go} in {@code github.com/couchbase/query}.
 * Thread-safe.
 */
final class CouchbaseNativeStore implements OpenStore, SequenceDetails {

    private static final String LABEL = "written to Couchbase's documentation, not run";
    private static final System.Logger LOG = System.getLogger(CouchbaseNativeStore.class.getName());

    private final Scope scope;
    private final String place;
    private final Runnable closing;
    private final Retries attempts;
    private final AtomicLong epoch = new AtomicLong();
    private final ConcurrentMap<String, Queue<Long>> drawn = new ConcurrentHashMap<>();

    CouchbaseNativeStore(Scope scope, Duration timeout, String place, Runnable closing) {
        this.scope = scope;
        this.place = place;
        this.closing = closing;
        attempts = new Retries(new CouchbaseFailures(place, "majority", timeout), timeout);
        LOG.log(System.Logger.Level.WARNING, "SQL++ sequences: " + LABEL);
    }

    @Override
    public Reservation reserve(String name, long count) {
        long wanted = SequenceStore.checkCount(name, count) == CACHE ? SequenceDefinition.DEFAULT_CACHE : count;
        Queue<Long> values = drawn.computeIfAbsent(checked(name), absent -> new ConcurrentLinkedQueue<>());
        Long value = values.poll();
        if (value == null) {
            long most = Math.min(wanted, 1_000); // with a cache of 1, each is a durable write
            String query = "SELECT RAW NEXTVAL FOR " + quoted(name) + " FROM ARRAY_RANGE(0, $count) AS i";
            JsonObject parameters = JsonObject.create().put("count", most);
            List<Long> fresh = run(name, false, query, parameters, Long.class);
            value = fresh.get(0);
            values.addAll(fresh.subList(1, fresh.size()));
        }
        // Each has its own epoch: a value below the previous one may come from another node's block.
        return new Reservation(new Block(value, 1, 1), SequenceDefinition.of(name), epoch.incrementAndGet());
    }

    @Override
    public void create(SequenceDefinition definition) {
        String name = checked(definition.name());
        change(name, "CREATE SEQUENCE " + quoted(name) + " START WITH " + definition.start() + options(definition));
    }

    @Override
    public boolean ordered() {
        return false;
    }

    @Override
    public SequenceState describe(String name) {
        return states(name, " AND s.`name` = $name", JsonObject.create().put("name", checked(name))).stream()
                .findFirst()
                .orElseThrow(() -> new NotFound(name, place));
    }

    @Override
    public Map<String, String> details(String name) {
        describe(name);
        return Map.of("tested", "no, " + LABEL);
    }

    /** {@inheritDoc} Lists the sequences whose names are plain identifiers. */
    @Override
    public List<SequenceState> list(BiConsumer<String, Misconfigured> broken) {
        return states("(any)", "", JsonObject.create());
    }

    private List<SequenceState> states(String name, String condition, JsonObject parameters) {
        parameters.put("bucket", scope.bucketName()).put("scope", scope.name());
        String query = """
                SELECT s.`name`, s.`cycle`, TO_STRING(s.`increment`) AS `increment`, TO_STRING(s.`cache`) AS `cache`, \
                TO_STRING(s.`min`) AS `min`, TO_STRING(s.`max`) AS `max`, TO_STRING(s.`value`.`~next_block`) AS `next` \
                FROM system:all_sequences AS s WHERE s.`bucket` = $bucket AND s.`scope_id` = $scope%s \
                ORDER BY s.`name`""".formatted(condition);
        return run(name, true, query, parameters, JsonObject.class).stream()
                .filter(row -> SequenceTable.isIdentifier(row.getString("name")))
                .map(CouchbaseNativeStore::state)
                .toList();
    }

    private static SequenceState state(JsonObject row) {
        SequenceDefinition definition = SequenceDefinition.named(row.getString("name"))
                .incrementBy(Long.parseLong(row.getString("increment")))
                .minValue(Long.parseLong(row.getString("min")))
                .maxValue(Long.parseLong(row.getString("max")))
                .cycle(row.getBoolean("cycle"))
                .cache(Long.parseLong(row.getString("cache")))
                .build();
        long next = Long.parseLong(row.getString("next"));
        boolean usedUp = next < definition.min() || next > definition.max(); // the next block begins behind the end
        long last = definition.ascending() ? definition.max() : definition.min();
        return new SequenceState(definition, usedUp ? last : next, usedUp, 0);
    }

    /** {@inheritDoc} Another start has no effect. */
    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        SequenceState before = describe(name);
        SequenceState after = before.redefined(change.apply(before.definition()));
        return altered(name, options(after.definition()));
    }

    /** Refuses: {@code RESTART WITH} would move the counter back if others drew past the value meanwhile. */
    @Override
    public SequenceState raise(String name, long value) {
        var unused = describe(name);
        throw new Misconfigured(name, "SQL++ cannot raise it while others draw; stop them, and restart it");
    }

    /** {@inheritDoc} Running instances cannot detect it. */
    @Override
    public SequenceState restart(String name, long value) {
        var unused = describe(name).restartedWith(value);
        return altered(name, " RESTART WITH " + value);
    }

    private SequenceState altered(String name, String what) {
        change(name, "ALTER SEQUENCE " + quoted(name) + what);
        drawn.remove(name);
        return describe(name);
    }

    @Override
    public void drop(String name) {
        try {
            change(name, "DROP SEQUENCE " + quoted(checked(name)));
            drawn.remove(name);
        } catch (NotFound e) {
            throw e.whenDropped();
        }
    }

    /** Always returns false, because the server cannot take values back. */
    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return false;
    }

    @Override
    public String toString() {
        return """
                Couchbase's SQL++ sequences, %s (neither ordered nor gapless; %s)""".formatted(place, LABEL);
    }

    @Override
    public void close() {
        closing.run();
    }

    private static String options(SequenceDefinition definition) {
        long min = definition.min(); // the least cannot be written as a literal
        return " INCREMENT BY " + definition.increment()
                + (min == Long.MIN_VALUE ? " NO MINVALUE" : " MINVALUE " + min)
                + " MAXVALUE " + definition.max()
                + " CACHE " + definition.cache()
                + (definition.cycle() ? " CYCLE" : " NO CYCLE");
    }

    /** Checks a name. Only identifiers are allowed, since the server splits paths at dots. */
    private String checked(String name) {
        if (!SequenceTable.isIdentifier(name)) {
            throw new NotFound(SequenceDefinition.checkName(name), place + " (names must be plain identifiers)");
        }
        return name;
    }

    /** Quotes a checked name. The client accepts no bucket or scope with a backtick. */
    private String quoted(String name) {
        return "`%s`.`%s`.`%s`".formatted(scope.bucketName(), scope.name(), name);
    }

    private void change(String name, String statement) {
        run(name, false, statement, JsonObject.create(), JsonObject.class);
    }

    /** Runs a statement, and returns its rows. If the sequence ends after some, returns these. */
    private <T> List<T> run(String name, boolean reads, String statement, JsonObject parameters, Class<T> type) {
        Retries.Attempt<List<T>> attempt = deadline -> {
            QueryOptions options = QueryOptions.queryOptions()
                    .timeout(deadline.left())
                    .readonly(reads)
                    .parameters(parameters);
            List<T> rows = new ArrayList<>();
            try {
                Documents.await(scope.reactive()
                        .query(statement, options)
                        .flatMapMany(result -> result.rowsAs(type))
                        .doOnNext(rows::add)
                        .then()
                        .toFuture());
            } catch (CouchbaseException e) {
                SequenceException refusal = refusal(name, e);
                if (!(refusal instanceof Exhausted) || rows.isEmpty()) {
                    throw refusal == null ? e : refusal;
                }
            }
            return Optional.of(rows);
        };
        return reads ? attempts.reading(name, attempt) : attempts.writing(name, attempt);
    }

    /** Translates an error of the query service; null if it is none that sequences have. */
    private @Nullable SequenceException refusal(String name, CouchbaseException e) {
        if (!(e.context() instanceof QueryErrorContext context)) {
            return null;
        }
        List<Integer> codes = new ArrayList<>();
        context.errors().forEach(error -> {
            codes.add(error.code());
            addCodes(codes, error.reason()); // NEXTVAL and ALTER wrap the error that matters
        });
        if (codes.contains(19106)) {
            return new NotFound(name, place);
        }
        if (codes.contains(19108)) {
            return new AlreadyExists(name, place);
        }
        if (codes.contains(19111)) {
            return new Exhausted(describe(name).definition());
        }
        return e instanceof ParsingFailureException || codes.stream().anyMatch(code -> code / 100 == 191)
                ? new Misconfigured(name, """
                        %s refuses it; use Couchbase Server 7.6 or later, or change it: \
                        %s""".formatted(place, context.errors()), e)
                : null;
    }

    private static void addCodes(List<Integer> codes, @Nullable Object reason) {
        if (reason instanceof Map<?, ?> map) {
            if (map.get("code") instanceof Number code) {
                codes.add(code.intValue());
            }
            map.values().forEach(nested -> addCodes(codes, nested));
        }
    }
}
