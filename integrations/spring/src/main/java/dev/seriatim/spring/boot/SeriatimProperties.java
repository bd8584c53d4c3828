// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * The properties {@code seriatim.*}; {@code META-INF/spring-configuration-metadata.json} describes each. An unknown one is
 * refused, so that a misspelt name is noticed.
 *
 * <p>Immutable and thread-safe.
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
        @DefaultValue("2s") Duration healthTimeout,
        @DefaultValue Map<String, Definition> sequences,
        @DefaultValue Feeds feeds) {

    private static final String APPLICATION = "application";
    private static final System.Logger LOG = System.getLogger("dev.seriatim.spring");

    /** Copies the map. */
    public SeriatimProperties {
        sequences = Map.copyOf(sequences);
    }

    /** The collection of the sequences in the application's Couchbase cluster; none without a bucket. */
    public record Couchbase(
            @Nullable String bucket,
            @DefaultValue("_default") String scope,
            @DefaultValue("_default") String collection,
            @DefaultValue("majority") String durability) {}

    /** The feeds; a {@code stamping} of 0 leaves it to readers and other processes. */
    public record Feeds(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("20ms") Duration stamping,
            @DefaultValue("30s") Duration alarm) {}

    /** A sequence, in the terms of SQL, as in {@link SequenceDefinition}. */
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
            List<String> missing = definitions.stream()
                    .filter(definition -> !define(opened, definition))
                    .map(SequenceDefinition::name)
                    .toList();
            if (!missing.isEmpty()) {
                throw new Misconfigured(
                        """
                        sequences '%s' not found in %s; create them with 'seriatim create %s --store URL' (with --print, it \
                        prints a migration), or set seriatim.create-missing=true""".formatted(String.join("', '", missing), opened.store(), String.join(" ", missing)));
            }
        } catch (Throwable refused) {
            opened.close();
            throw refused;
        }
        return opened;
    }

    /** Returns whether the sequence exists. */
    private boolean define(StoreSequences opened, SequenceDefinition definition) {
        if ((createMissing && opened.define(definition)) || !(opened.store() instanceof SequenceCatalog catalog)) {
            return true;
        }
        SequenceState state;
        try {
            state = catalog.describe(definition.name());
        } catch (NotFound missing) {
            return false;
        }
        if (!state.definition().equals(definition)) {
            LOG.log(System.Logger.Level.WARNING, """
                    sequence ''{0}'' exists with another definition than seriatim.sequences gives it, and keeps it: \
                    {1}; alter it, or change the properties""", definition.name(), state.definition());
        }
        return true;
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
        Duration timeout = Binder.get(environment)
                .bind("seriatim.health-timeout", Duration.class)
                .orElse(Duration.ofSeconds(2));
        return positive("health-timeout", timeout);
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
        Optional.ofNullable(definition.startWith()).ifPresent(builder::startWith);
        Optional.ofNullable(definition.minValue()).ifPresent(builder::minValue);
        Optional.ofNullable(definition.maxValue()).ifPresent(builder::maxValue);
        return builder.build();
    }
}
