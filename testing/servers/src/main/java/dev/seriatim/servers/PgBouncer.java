// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** PgBouncer as installed on the system, before a database, in which it has a number of sessions. */
record PgBouncer(Database database, int sessions) implements Software {
    static final String TITLE = "PgBouncer";

    @Override
    public String name() {
        return "pgbouncer";
    }

    @Override
    public Optional<String> missing() {
        return Commands.find("pgbouncer").isPresent() && Unprivileged.isPossible()
                ? Optional.empty()
                : Optional.of("pgbouncer is not installed, or refuses to run as root; apt install pgbouncer");
    }

    @Override
    public void initialize(Path folder, int port) throws IOException {
        String[] server = database.hostAndPort().split(":", 2);
        Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                * = host=%s port=%s user=%s password=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 200
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                        server[0], server[1], database.user(), database.password(), port, sessions));
    }

    @Override
    public List<String> command(Path folder, int port, Map<String, String> settings) {
        List<String> command = new ArrayList<>(Unprivileged.prefix());
        command.add(Commands.find("pgbouncer").orElseThrow().toString());
        command.add(folder.resolve("pgbouncer.ini").toString());
        return command;
    }

    @Override
    public Database administration(int port) {
        return database.at("127.0.0.1:" + port);
    }
}
