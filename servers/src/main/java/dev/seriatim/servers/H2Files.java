// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An H2 file each, in a folder that goes with the JVM; one process at a time opens it. */
final class H2Files implements DatabaseSource {
    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public List<Database> create(String name) {
        String file = TemporaryFolder.create("h2").path().resolve(name).toString();
        return List.of(new Database(new JdbcLocation("jdbc:h2:file:", file, Map.of()), "sa", ""));
    }
}
