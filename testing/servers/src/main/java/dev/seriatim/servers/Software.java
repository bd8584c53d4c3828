// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The programs of one engine: how to set up and run a server. */
interface Software {
    /** The account for administration. Servers listen on 127.0.0.1 only and hold test data. */
    String USER = "seriatim";

    String PASSWORD = "deals-numbers";

    /** Returns the engine's name, for folders and messages. */
    String name();

    /** Returns what is not installed, with the remedy; empty if it can run. */
    Optional<String> missing();

    /** Creates the data or the configuration in an empty folder. */
    void initialize(Path folder, int port) throws IOException;

    /** Returns the command that runs the server in the foreground, on 127.0.0.1; {@code settings} override ours. */
    List<String> command(Path folder, int port, Map<String, String> settings);

    Database administration(int port);

    /** Returns a query whose result is 1 when the server accepts clients; before that, it may fail. */
    default String readiness() {
        return "SELECT 1";
    }

    default boolean answers(Path folder, int port) {
        try {
            return administration(port).number(readiness()) == 1;
        } catch (SQLException e) {
            return false;
        }
    }

    /** Returns all settings; the latter override the former. */
    static Map<String, String> with(Map<String, String> ours, Map<String, String> others) {
        Map<String, String> all = new LinkedHashMap<>(ours);
        all.putAll(others);
        return all;
    }
}
