// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Server;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** On the version of PostgreSQL that the system has. */
@Tag("long")
class OlderForeignOperatorsTest extends ForeignOperatorsContract {

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
