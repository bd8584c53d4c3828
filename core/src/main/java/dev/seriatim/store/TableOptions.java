// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options of a store's URL that name the table and describe its contents. Immutable and thread-safe. */
public record TableOptions(StoreUrl url) {

    private static final List<String> PLAIN_ONLY =
            List.of("name-column", "value-column", "start-with", "increment-by", "min-value", "max-value", "cache");

    /** The options that this class reads. */
    public static final Set<String> NAMES = Stream.concat(Stream.of("table", "owner", "kind"), PLAIN_ONLY.stream())
            .collect(Collectors.toUnmodifiableSet());

    /** Returns the names of all options of a URL that has these, too. */
    public static Set<String> and(String... others) {
        return Stream.concat(NAMES.stream(), Stream.of(others)).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the table. Throws {@link Misconfigured} if an option is invalid or contradicts another. */
    public SequenceTable table() {
        SequenceTable table = ofKind();
        return url.option("owner").map(table::ownedBy).orElse(table);
    }

    private SequenceTable ofKind() {
        String kind = url.option("kind").orElse("");
        return switch (kind) {
            case "" -> own();
            case "next" -> plain(SequenceTable.Kind.NEXT_VALUE, "name", "next_value");
            case "last" -> plain(SequenceTable.Kind.LAST_VALUE, "seq_name", "last_val");
            default ->
                throw url.refused(url.spelled("kind")
                        + " must be next (the counter is the next value to draw) or last, not '" + kind + "'");
        };
    }

    private SequenceTable own() {
        for (String option : PLAIN_ONLY) {
            if (url.option(option).isPresent()) {
                String kind = url.spelled("kind");
                throw url.refused("option '" + url.spelled(option) + "' is for a plain table; add " + kind
                        + "=last if its counter is the last value drawn, or " + kind + "=next");
            }
        }
        return SequenceTable.own(url.option("table").orElse(SequenceTable.DEFAULT_NAME));
    }

    private SequenceTable plain(SequenceTable.Kind kind, String nameColumn, String valueColumn) {
        String table = url.option("table")
                .orElseThrow(() -> url.refused(
                        url.spelled("kind") + " needs a plain table; add " + url.spelled("table") + "=NAME"));
        return new SequenceTable(
                table,
                url.option("name-column").orElse(nameColumn),
                url.option("value-column").orElse(valueColumn),
                kind,
                template(kind));
    }

    private SequenceDefinition template(SequenceTable.Kind kind) {
        long increment = number("increment-by", 1);
        boolean up = increment > 0;
        // Leaves room for the one state beyond the end, or before the beginning, that the counter must represent.
        boolean beyond = kind == SequenceTable.Kind.NEXT_VALUE;
        long lowest = up ? 1 : Long.MIN_VALUE - (beyond ? increment : 0);
        long highest = up ? Long.MAX_VALUE - (beyond ? increment : 0) : -1;
        SequenceDefinition.Builder builder = SequenceDefinition.named("any")
                .incrementBy(increment)
                .minValue(number("min-value", lowest))
                .maxValue(number("max-value", highest))
                .cache(number("cache", SequenceDefinition.DEFAULT_CACHE));
        return url.option("start-with").isPresent()
                ? builder.startWith(number("start-with", 1)).build()
                : builder.build();
    }

    private long number(String option, long otherwise) {
        return url.number(option).orElse(otherwise);
    }
}
