// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.TypedCommand;
import dev.seriatim.servers.Server;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A scenario with more clients than the server has connections. */
@Isolated("a draw fails if it has no connection within its patience")
@Tag("long")
class MoreClientsThanConnectionsTest {

    @Test
    void more_clients_than_the_server_has_connections_share_them() {
        int most = 40;
        try (Server server = Server.postgresql(Map.of("max_connections", Integer.toString(most)))) {
            TypedCommand run = BenchRun.on(
                    server.freshDatabase().url(),
                    "--scenario",
                    "dsql",
                    "--mode",
                    "NATIVE,BATCH",
                    "--threads",
                    Integer.toString(2 * most),
                    "--rounds",
                    "1",
                    "--format",
                    "json");
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.err())
                    .contains("up to " + 2 * most + " clients share ", "the maximum that the server or the URL allows");
            assertThat(run.objects("runs"))
                    .filteredOn(figures ->
                            figures.get("experiment").getAsString().equals(2 * most + " workers × 100 draws"))
                    .hasSize(3)
                    .allSatisfy(figures ->
                            assertThat(figures.get("errors").getAsLong()).isZero());
        }
    }
}
