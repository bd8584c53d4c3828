// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Spanner;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.spanner.SpannerNativeStore.SkipRange;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.store.TableOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens {@code spanner:projects/P/instances/I/databases/D}. Uses Google Cloud's application default credentials. With
 * the environment variable {@code SPANNER_EMULATOR_HOST} or the option {@code emulator=HOST:PORT}, uses the emulator,
 * which needs no credentials. Options:
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
 *
 * <p>Thread-safe.
 */
public final class SpannerDriver implements StoreDriver {

    private static final Pattern PLACE = Pattern.compile("projects/([^/]+)/instances/([^/]+)/databases/([^/]+)");
    private static final Set<String> OWN =
            Set.of("sequences", "skip-range-min", "skip-range-max", "timeout", "emulator");

    @Override
    public String prefix() {
        return "spanner:";
    }

    @Override
    public OpenStore open(StoreUrl url) {
        Set<String> known = new HashSet<>(TableOptions.NAMES);
        known.addAll(OWN);
        url.allowOnly(known);
        boolean isNative = isNative(url);
        Optional<SkipRange> skipped = skipped(url);
        if (!isNative && skipped.isPresent()) {
            throw bad(url, "a skip range is for the database's own sequences; add sequences=native");
        }
        SequenceTable table = isNative ? SequenceTable.own() : new TableOptions(url).table();
        Matcher parts = PLACE.matcher(url.place());
        if (!parts.matches()) {
            throw new Misconfigured("store URL '" + url.redacted()
                    + "' does not name a database; write spanner:projects/P/instances/I/databases/D");
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

    private static boolean isNative(StoreUrl url) {
        String sequences = url.option("sequences").orElse("rows");
        if (!sequences.equals("native") && !sequences.equals("rows")) {
            throw bad(url, "sequences must be rows or native, not '" + sequences + "'");
        }
        boolean isNative = sequences.equals("native");
        for (String option : url.options().keySet()) {
            if (isNative && TableOptions.NAMES.contains(option)) {
                throw bad(
                        url,
                        "option '" + option + "' is for sequences in a table; remove it, or remove sequences=native");
            }
        }
        return isNative;
    }

    private static Optional<SkipRange> skipped(StoreUrl url) {
        boolean min = url.option("skip-range-min").isPresent();
        if (min != url.option("skip-range-max").isPresent()) {
            throw bad(url, "a skip range has two ends; set both skip-range-min and skip-range-max");
        }
        if (!min) {
            return Optional.empty();
        }
        SkipRange range = new SkipRange(number(url, "skip-range-min"), number(url, "skip-range-max"));
        if (range.min() < 1 || range.max() < range.min()) {
            throw bad(
                    url,
                    "the skip range " + range.min() + " … " + range.max()
                            + " is invalid; its ends must be at least 1 and in order");
        }
        return Optional.of(range);
    }

    private static long number(StoreUrl url, String option) {
        String given = url.option(option).orElse("");
        try {
            return Long.parseLong(given);
        } catch (NumberFormatException e) {
            throw bad(url, option + " must be a 64-bit integer, not '" + given + "'");
        }
    }

    private static Misconfigured bad(StoreUrl url, String what) {
        return new Misconfigured("store URL '" + url.redacted() + "': " + what);
    }
}
