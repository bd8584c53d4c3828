// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Server;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The same on the version that the system has, usually an older one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
@Execution(ExecutionMode.CONCURRENT)
class OlderPostgresCatalogTest extends PostgresCatalogTest {

    private @Nullable Server server;

    @BeforeAll
    void start() {
        server = ownServer();
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    Database freshDatabase() {
        return Objects.requireNonNull(server).freshDatabase();
    }

    @Override
    Server ownServer() {
        return Server.installedPostgresql(Map.of());
    }
}
