// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.Map;

/** H2 databases in files, which only one process at a time can open. Thread-safe. */
public final class H2Files {
    private H2Files() {}

    /** Creates a new, empty database, in a folder that is deleted with the JVM. */
    public static Database freshDatabase() {
        String file = TemporaryFolder.forFiles("h2").resolve("data").toString();
        return new Database("jdbc:h2:file:", file, Map.of(), "sa", "");
    }
}
