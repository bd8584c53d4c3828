// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import dev.seriatim.spanner.SpannerNativeStore.SkipRange;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.store.TableOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens {@code spanner:projects/P/instances/I/databases/D}. Uses Google Cloud's application default credentials. With
 * the environment variable {@code SPANNER_EMULATOR_HOST} or the option {@code emulator=HOST:PORT}, uses the emulator,
 * which needs no credentials. Thread-safe. Options:
 *
 * <ul>
 *   <li>{@code table}: the table, with its schema if it has one, by default {@code seriatim_sequence}
 *   <li>{@code kind=next} or {@code kind=last}: an existing plain table, whose counter is the next value to draw or the
 *       last value drawn; with {@code name-column}, {@code value-column}, and the definition of its sequences:
 *       {@code start-with}, {@code increment-by}, {@code min-value}, {@code max-value}, {@code cache}. For the
 *       published table, use {@code table=sequences&kind=next}
 *   <li>{@code sequences=native}: the database's own bit-reversed sequences instead; with {@code skip-range-min} and
 *       {@code skip-range-max} for those that are created or altered
 *   <li>{@code timeout}: maximum time to wait for an answer or for conflicts to end, such as {@code 10s}
 * </ul>
 */
public final class SpannerDriver implements StoreDriver {

    private static final Pattern PLACE = Pattern.compile("projects/([^/]+)/instances/([^/]+)/databases/([^/]+)");
    private static final Set<String> KNOWN =
            TableOptions.and("sequences", "skip-range-min", "skip-range-max", "timeout", "emulator");

    @Override
    public String prefix() {
        return "spanner:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        boolean isNative = url.allowOnly(KNOWN).isNative(TableOptions.NAMES);
        Optional<SkipRange> skipped = skipped(url);
        if (!isNative && skipped.isPresent()) {
            throw url.refused("a skip range is for the database's own sequences; add sequences=native");
        }
        SequenceTable table = new TableOptions(url).table();
        Matcher parts = PLACE.matcher(url.place());
        if (!parts.matches()) {
            throw url.refused("it names no database; write spanner:projects/P/instances/I/databases/D");
        }
        Duration patience = url.duration("timeout").orElse(SpannerDatabase.PATIENCE);
        Spanner spanner = Client.to(parts.group(1), url.option("emulator"), patience);
        try {
            DatabaseId id = DatabaseId.of(parts.group(1), parts.group(2), parts.group(3));
            SpannerDatabase database = SpannerDatabase.reached(spanner, id, patience);
            return isNative
                    ? new SpannerNativeStore(database, skipped, () -> Client.close(spanner))
                    : new SpannerStore(database, table, () -> Client.close(spanner));
        } catch (Throwable e) {
            Client.close(spanner);
            throw e;
        }
    }

    private static Optional<SkipRange> skipped(StoreUrl url) {
        Optional<Long> min = url.number("skip-range-min");
        Optional<Long> max = url.number("skip-range-max");
        Optional<SkipRange> both = min.flatMap(low -> max.map(high -> new SkipRange(low, high)));
        if (min.isPresent() != max.isPresent()
                || both.filter(range -> range.min() < 1 || range.max() < range.min())
                        .isPresent()) {
            throw url.refused("set both skip-range-min and skip-range-max, at least 1 and in order, not to "
                    + min.orElse(0L) + " … " + max.orElse(0L));
        }
        return both;
    }
}
