// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** H2 databases in the memory of this JVM; each lives until the JVM ends. */
final class H2Memory implements DatabaseSource {
    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public List<Database> create(String name) {
        Map<String, String> kept = Map.of("DB_CLOSE_DELAY", "-1");
        return List.of(new Database(new JdbcLocation("jdbc:h2:mem:", name, kept), "sa", ""));
    }
}
