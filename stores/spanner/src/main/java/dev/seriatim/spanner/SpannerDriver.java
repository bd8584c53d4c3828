// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.store.TableOptions;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens {@code spanner:projects/P/instances/I/databases/D}. Uses Google Cloud's application default credentials. With
 * the environment variable {@code SPANNER_EMULATOR_HOST} or the option {@code emulator=HOST:PORT}, uses the emulator,
 * which needs no credentials. Options:
 *
 * <ul>
 *   <li>{@code table}: the table, by default {@code seriatim_sequence}
 *   <li>{@code kind=next} or {@code kind=last}: an existing plain table, whose counter is the next value to draw or the
 *       last value drawn; with {@code name-column}, {@code value-column}, and the definition of its sequences:
 *       {@code start-with}, {@code increment-by}, {@code min-value}, {@code max-value}, {@code cache}. For the
 *       published table, use {@code table=sequences&kind=next}
 *   <li>{@code sequences=native}: the database's own bit-reversed sequences instead; with {@code skip-range-min} and
 *       {@code skip-range-max} for new ones
 *   <li>{@code timeout}: maximum time to wait for an answer or for conflicts to end, such as {@code 10s}
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class SpannerDriver implements StoreDriver {

    private static final Pattern PLACE = Pattern.compile("projects/([^/]+)/instances/([^/]+)/databases/([^/]+)");
    private static final Set<String> OWN =
            Set.of("sequences", "skip-range-min", "skip-range-max", "timeout", "emulator");

    /** Called by the service loader. */
    public SpannerDriver() {}

    @Override
    public String prefix() {
        return "spanner:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        Set<String> known = new TreeSet<>(TableOptions.NAMES);
        known.addAll(OWN);
        url.allowOnly(known);
        Store store = store(url);
        Matcher parts = PLACE.matcher(url.place());
        if (!parts.matches()) {
            throw new Misconfigured("store URL '" + url.redacted()
                    + "' does not name a database; write spanner:projects/P/instances/I/databases/D");
        }
        Duration patience = url.duration("timeout").orElse(SpannerDatabase.PATIENCE);
        Spanner spanner = Client.to(parts.group(1), url.option("emulator"), patience);
        boolean opened = false;
        try {
            DatabaseId id = DatabaseId.of(parts.group(1), parts.group(2), parts.group(3));
            OpenStore result = store.at(SpannerDatabase.reached(spanner, id, patience), () -> Client.close(spanner));
            opened = true;
            return result;
        } finally {
            if (!opened) {
                Client.close(spanner);
            }
        }
    }

    /** Opens the store that a URL describes, given a database. */
    @FunctionalInterface
    private interface Store {
        OpenStore at(SpannerDatabase database, Runnable atClose);
    }

    private static Store store(StoreUrl url) {
        String sequences = url.option("sequences").orElse("rows");
        SkipRange skipped = SkipRange.of(url);
        return switch (sequences) {
            case "rows" -> {
                if (skipped.isPresent()) {
                    throw new Misconfigured("store URL '" + url.redacted()
                            + "': a skip range is for the database's own sequences; add sequences=native");
                }
                var table = new TableOptions(url).table();
                yield (database, atClose) -> new SpannerStore(database, table, atClose);
            }
            case "native" -> {
                for (String option : TableOptions.NAMES) {
                    if (url.option(option).isPresent()) {
                        throw new Misconfigured("store URL '" + url.redacted() + "': option '" + option
                                + "' is for sequences in a table; remove it, or remove sequences=native");
                    }
                }
                yield (database, atClose) -> new SpannerNativeStore(database, skipped, atClose);
            }
            default ->
                throw new Misconfigured("store URL '" + url.redacted() + "': sequences must be rows or native, not '"
                        + sequences + "'");
        };
    }
}
