// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/**
 * The properties {@code seriatim.*}. An unknown one is refused, so that a misspelt name is noticed.
 *
 * <p>Immutable and thread-safe.
 *
 * @param enabled whether the application gets a {@link dev.seriatim.Sequences} bean
 * @param url the store, as in {@link dev.seriatim.jdbc.JdbcSequences#open(String)}; null to use the application's data
 *     source
 * @param dataSource the name of the {@code DataSource} bean whose database holds the sequences; null if there is one
 *     data source, or a primary one
 * @param couchbase the Couchbase collection that holds the sequences, instead of a data source; null for none
 * @param connections the maximum number of connections that the sequences open for themselves, beside the data source's
 *     pool, without one more if units of work occupy all; {@code 0} or {@code application} to draw from that pool
 * @param table the table that holds the sequences
 * @param owner on PostgreSQL, a role to trust as the owner of the table, see {@link SequenceTable#ownedBy}; null for
 *     none
 * @param patience the maximum time that a caller waits for a number
 * @param giveBackOnClose whether closing the application gives unused values back
 * @param createMissing whether to create the table, and sequences that are opened or defined here, if they are missing.
 *     If false, those defined here must exist
 * @param healthTimeout the maximum time that the health indicator waits for the store
 * @param sequences the sequences that exist when the application starts, by name
 */
@ConfigurationProperties(prefix = "seriatim", ignoreUnknownFields = false)
public record SeriatimProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String url,
        @Nullable String dataSource,
        @Nullable Couchbase couchbase,
        @DefaultValue("4") String connections,
        @DefaultValue(SequenceTable.DEFAULT_NAME) String table,
        @Nullable String owner,
        @DefaultValue("10s") Duration patience,
        @DefaultValue("true") boolean giveBackOnClose,
        @DefaultValue("true") boolean createMissing,
        @DefaultValue(SeriatimProperties.HEALTH_TIMEOUT) Duration healthTimeout,
        @DefaultValue Map<String, Definition> sequences) {

    static final String HEALTH_TIMEOUT = "2s";
    private static final String APPLICATION = "application";
    private static final System.Logger LOG = System.getLogger("dev.seriatim.spring");

    /** Copies the map. */
    public SeriatimProperties {
        sequences = Map.copyOf(sequences);
    }

    /**
     * The collection of the sequences in the application's Couchbase cluster.
     *
     * <p>Immutable and thread-safe.
     *
     * @param bucket the bucket; null for none, and then Couchbase holds no sequences
     * @param scope the scope
     * @param collection the collection
     * @param durability the durability that a value must have before it is dealt: {@code majority},
     *     {@code majority-and-persist}, {@code persist-to-majority}, or {@code none}, which loses acknowledged values
     *     on failover
     */
    public record Couchbase(
            @Nullable String bucket,
            @DefaultValue("_default") String scope,
            @DefaultValue("_default") String collection,
            @DefaultValue("majority") String durability) {}

    /**
     * A sequence, in the terms of SQL.
     *
     * <p>Immutable and thread-safe.
     *
     * @param startWith the first value; by default the lowest, or the highest when counting down
     * @param incrementBy the step, never 0; negative to count down
     * @param minValue the lowest value; by default 1, or -2<sup>63</sup> when counting down
     * @param maxValue the highest value; by default 2<sup>63</sup>-1, or -1 when counting down
     * @param cycle whether to start over after the last value
     * @param cache the default block size
     */
    public record Definition(
            @Nullable Long startWith,
            @DefaultValue("1") long incrementBy,
            @Nullable Long minValue,
            @Nullable Long maxValue,
            @DefaultValue("false") boolean cycle,

            @DefaultValue("" + SequenceDefinition.DEFAULT_CACHE)
            long cache) {}

    /** Returns the Couchbase bucket that holds the sequences; null for none. */
    @Nullable
    String bucket() {
        return couchbase == null ? null : couchbase.bucket();
    }

    /**
     * Opens sequences with these settings, and creates or checks those that are defined here. Closing the sequences
     * closes their store.
     */
    <S extends StoreSequences> S open(
            SequenceListener listener, Function<Consumer<StoreSequences.Builder>, S> opening) {
        // Before anything is opened, so that nothing is left open.
        Duration checked = checkedPatience();
        List<SequenceDefinition> definitions = definitions();
        S opened = opening.apply(builder -> builder.patience(checked)
                .giveBackOnClose(giveBackOnClose)
                .createMissing(createMissing)
                .listener(listener)
                .closesStore(true));
        try {
            definitions.forEach(definition -> define(opened, definition));
        } catch (Throwable refused) {
            opened.close();
            throw refused;
        }
        return opened;
    }

    private void define(StoreSequences opened, SequenceDefinition definition) {
        if ((createMissing && opened.define(definition)) || !(opened.store() instanceof SequenceCatalog catalog)) {
            return;
        }
        SequenceState state = catalog.describe(definition.name());
        if (!state.definition().equals(definition)) {
            LOG.log(System.Logger.Level.WARNING, """
                    sequence ''{0}'' exists with another definition than seriatim.sequences gives it, and keeps it: \
                    {1}; alter it, or change the properties""", definition.name(), state.definition());
        }
    }

    /** Returns how many connections the sequences open for themselves; 0 for those of the application's pool. */
    int ownConnections() {
        if (connections.equals(APPLICATION)) {
            return 0;
        }
        if (!connections.matches("\\d{1,9}")) {
            throw new Misconfigured("""
                    seriatim.connections=%s is not a number of connections; set it to 1 or more, or to %s to draw from \
                    the application's pool""".formatted(connections, APPLICATION));
        }
        return Integer.parseInt(connections);
    }

    /** Returns the maximum time that a caller waits. */
    Duration checkedPatience() {
        return positive("patience", patience);
    }

    /**
     * Returns the maximum time that the health indicator waits. Read separately, since these properties are not bound
     * if the application has its own sequences.
     */
    static Duration healthTimeout(Environment environment) {
        return positive(
                "health-timeout",
                Binder.get(environment)
                        .bind("seriatim.health-timeout", Duration.class)
                        .orElseGet(() -> DurationStyle.detectAndParse(HEALTH_TIMEOUT)));
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new Misconfigured(
                    "seriatim." + name + "=" + value.toMillis() + "ms is not positive; set it to a time such as 10s");
        }
        return value;
    }

    /** Returns the definitions, ordered by name. */
    List<SequenceDefinition> definitions() {
        return sequences.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> definition(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static SequenceDefinition definition(String name, Definition definition) {
        SequenceDefinition.Builder builder = SequenceDefinition.named(name)
                .incrementBy(definition.incrementBy())
                .cycle(definition.cycle())
                .cache(definition.cache());
        if (definition.startWith() != null) {
            builder.startWith(definition.startWith());
        }
        if (definition.minValue() != null) {
            builder.minValue(definition.minValue());
        }
        if (definition.maxValue() != null) {
            builder.maxValue(definition.maxValue());
        }
        return builder.build();
    }
}
