// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.StoreUrl;
import java.util.List;
import java.util.Optional;

/**
 * What happens when a database's settings can lose commits that it has acknowledged, or its rollbacks can take back those of
 * others, and numbers with them.
 */
public enum DurabilityCheck {
    /** The store is refused, or what cannot be kept on it. */
    REQUIRED {
        @Override
        Optional<String> refusal(String database, List<String> problems) {
            return problems.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            database + ": " + String.join("; ", problems)
                                    + " (or accept repeated numbers: durability=warn in the URL, seriatim.durability=warn in a jdbc: URL, DurabilityCheck.WARN in a program)");
        }
    },
    /** A warning is logged. */
    WARN {
        @Override
        Optional<String> refusal(String database, List<String> problems) {
            for (String problem : problems) {
                System.getLogger(DurabilityCheck.class.getName())
                        .log(System.Logger.Level.WARNING, "{0}: {1}", database, problem);
            }
            return Optional.empty();
        }
    };

    /**
     * What the option {@code durability} of a store's URL says.
     *
     * @throws Misconfigured when it says something else
     */
    static DurabilityCheck of(StoreUrl url) {
        String text = url.option("durability").orElse("required");
        return switch (text) {
            case "required" -> REQUIRED;
            case "warn" -> WARN;
            default ->
                throw new Misconfigured(
                        "store URL '" + url.redacted() + "': durability is required or warn, not '" + text + "'");
        };
    }

    /** Why a database with these problems is refused, in one line; empty when it is not. */
    abstract Optional<String> refusal(String database, List<String> problems);

    /**
     * Refuses a database with problems, or not.
     *
     * @throws Misconfigured when it is refused
     */
    void check(String database, List<String> problems) {
        refusal(database, problems).ifPresent(why -> {
            throw new Misconfigured(why);
        });
    }
}
