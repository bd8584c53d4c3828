// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The programs of one engine: how a server is set up and run. */
interface Software {
    /** The engine's name, for folders and messages. */
    String name();

    /** What is not installed, and the remedy; empty if it can run. */
    Optional<String> missing();

    /** Makes the data in an empty folder. */
    void initialize(Path folder) throws IOException;

    /**
     * The command that runs the server in the foreground, on 127.0.0.1 only.
     *
     * @param settings the engine's own settings, which win over ours
     */
    List<String> command(Path folder, int port, Map<String, String> settings);

    /** Where an administrator connects. */
    Database administration(int port);

    /** A query that answers 1 once clients may come; until then it may fail. */
    default String readiness() {
        return "SELECT 1";
    }

    /** Creates a database. */
    default Database create(Database administration, String name) {
        return Databases.create(name, List.of(administration)).get(0);
    }
}
