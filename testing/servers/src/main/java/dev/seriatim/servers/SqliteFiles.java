// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** SQLite files in a folder that is deleted with the JVM. */
final class SqliteFiles implements DatabaseSource {
    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public List<Database> create(String name) {
        String file = TemporaryFolder.forFiles("sqlite").resolve(name + ".db").toString();
        return List.of(new Database(new JdbcLocation("jdbc:sqlite:", file, Map.of()), "", ""));
    }
}
