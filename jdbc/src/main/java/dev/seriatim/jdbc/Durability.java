// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.StoreUrl;
import java.util.List;

/** What happens when a database's settings can lose commits that it has acknowledged, and numbers with them. */
public enum Durability {
    /** The store is refused. */
    REQUIRED {
        @Override
        void check(String database, List<String> problems) {
            if (!problems.isEmpty()) {
                throw new Misconfigured(
                        database + ": " + String.join("; ", problems)
                                + " (or accept repeated numbers after a crash: durability=warn in the URL, seriatim.durability=warn in a jdbc: URL)");
            }
        }
    },
    /** A warning is logged. */
    WARN {
        @Override
        void check(String database, List<String> problems) {
            for (String problem : problems) {
                System.getLogger(Durability.class.getName())
                        .log(System.Logger.Level.WARNING, "{0}: {1}", database, problem);
            }
        }
    };

    /**
     * What the option {@code durability} of a store's URL says.
     *
     * @throws Misconfigured when it says something else
     */
    static Durability of(StoreUrl url) {
        String text = url.option("durability").orElse("required");
        return switch (text) {
            case "required" -> REQUIRED;
            case "warn" -> WARN;
            default ->
                throw new Misconfigured(
                        "store URL '" + url.redacted() + "': durability is required or warn, not '" + text + "'");
        };
    }

    abstract void check(String database, List<String> problems);
}
