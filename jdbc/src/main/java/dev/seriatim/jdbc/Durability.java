// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.List;

/** What happens when a database's settings can lose commits that it has acknowledged, and numbers with them. */
public enum Durability {
    /** The store is refused. */
    REQUIRED {
        @Override
        void check(String database, List<String> problems) {
            if (!problems.isEmpty()) {
                throw new Misconfigured(database + ": " + String.join("; ", problems)
                        + " (or accept repeated numbers after a crash with durability=warn)");
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

    abstract void check(String database, List<String> problems);
}
