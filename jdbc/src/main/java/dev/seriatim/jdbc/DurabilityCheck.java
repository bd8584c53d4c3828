// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.StoreUrl;
import java.util.List;
import java.util.Optional;

/**
 * What to do if a database's settings can lose acknowledged commits, or its rollbacks can undo other transactions'
 * commits, and numbers with them.
 */
public enum DurabilityCheck {
    /** Refuses the store, or the operations that are unsafe on it. */
    REQUIRED,
    /** Logs a warning. */
    WARN;

    /** Returns the value of the option {@code durability} in a store's URL; refuses any other. */
    static DurabilityCheck of(StoreUrl url) {
        String text = url.option("durability").orElse("required");
        return switch (text) {
            case "required" -> REQUIRED;
            case "warn" -> WARN;
            default -> throw url.refused("durability must be required or warn, not '" + text + "'");
        };
    }

    /** Returns why a database with these problems is refused, in one line; empty if it is accepted. */
    Optional<String> refusal(String database, List<String> problems) {
        if (this == REQUIRED && !problems.isEmpty()) {
            return Optional.of(
                    database + ": " + String.join("; ", problems)
                            + " (or accept repeated numbers: durability=warn in the URL, seriatim.durability=warn in a jdbc: URL, DurabilityCheck.WARN in a program)");
        }
        for (String problem : problems) {
            System.getLogger(DurabilityCheck.class.getName())
                    .log(System.Logger.Level.WARNING, "{0}: {1}", database, problem);
        }
        return Optional.empty();
    }

    /** Refuses the database or logs a warning if there are problems. */
    void check(String database, List<String> problems) {
        refusal(database, problems).ifPresent(why -> {
            throw new Misconfigured(why);
        });
    }
}
