// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Server;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** The same on the version that the system has, usually an older one. */
@Tag("long")
class OlderPostgresCatalogTest extends PostgresCatalogTest {

    private static Optional<Server> server = Optional.empty();

    @Override
    Database freshDatabase() {
        if (server.isEmpty()) {
            server = Optional.of(Server.installedPostgresql(Map.of()));
        }
        return server.get().freshDatabase();
    }

    @AfterAll
    static void stop() {
        server.ifPresent(Server::close);
        server = Optional.empty();
    }
}
