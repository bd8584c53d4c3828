// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * PgBouncer in transaction mode before a database of PostgreSQL, as installed on the system: each transaction borrows
 * one of a few sessions. It is killed when it is closed, or at the latest when the JVM ends. Not thread-safe.
 */
public final class PgBouncer implements AutoCloseable {
    static final String TITLE = "PgBouncer";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final TemporaryFolder folder;
    private final ServerProcess process;
    private final Database database;

    private PgBouncer(TemporaryFolder folder, ServerProcess process, Database database) {
        this.folder = folder;
        this.process = process;
        this.database = database;
    }

    /**
     * Starts it. If it is not installed, skips the test, or fails it if {@code SERIATIM_TEST_REQUIRE} names {@code pgbouncer}.
     *
     * @param sessions the number of sessions on the server
     */
    public static PgBouncer before(Database database, int sessions) {
        Availability.check(TITLE, missing());
        int port = Ports.free();
        TemporaryFolder folder = TemporaryFolder.create("pgbouncer");
        List<String> command = new ArrayList<>(Unprivileged.prefix());
        command.add(Commands.find("pgbouncer").orElseThrow().toString());
        command.add(settings(folder.path(), database, sessions, port).toString());
        PgBouncer bouncer =
                new PgBouncer(folder, ServerProcess.start(command, folder.path()), database.at("127.0.0.1:" + port));
        bouncer.process.await(PATIENCE, "PgBouncer", bouncer::answers);
        return bouncer;
    }

    /** Returns why it cannot run, with the remedy; empty if it can. Starts nothing. */
    public static Optional<String> missing() {
        return Commands.find("pgbouncer").isPresent() && Unprivileged.isPossible()
                ? Optional.empty()
                : Optional.of("pgbouncer is not installed, or refuses to run as root; apt install pgbouncer");
    }

    private static Path settings(Path folder, Database database, int sessions, int port) {
        String[] server = database.location().hostAndPort().split(":", 2);
        List<String> lines = List.of(
                "[databases]",
                "* = host=" + server[0] + " port=" + server[1] + " user=" + database.user() + " password="
                        + database.password(),
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = any",
                "pool_mode = transaction",
                "default_pool_size = " + sessions,
                "max_client_conn = 200",
                "ignore_startup_parameters = extra_float_digits");
        try {
            return Files.write(folder.resolve("pgbouncer.ini"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot configure PgBouncer in " + folder, e);
        }
    }

    /** Returns the database as seen through it. */
    public Database database() {
        return database;
    }

    @Override
    public void close() {
        process.kill();
        folder.delete();
    }

    private boolean answers() {
        try {
            return database.number("SELECT 1") == 1;
        } catch (SQLException e) {
            return false;
        }
    }
}
