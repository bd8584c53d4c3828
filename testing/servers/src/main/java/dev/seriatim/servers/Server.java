// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import dev.seriatim.servers.Availability.Product;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A server process with its own data folder, which can be killed, restarted and suspended. It is killed and its folder
 * deleted when it is closed, or at the latest when the JVM ends. Not thread-safe.
 */
public final class Server implements AutoCloseable {
    /** A separate title, because requiring PostgreSQL does not require a second version of it. */
    static final String TITLE_OF_THE_SYSTEMS = "PostgreSQL of the system";

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int ATTEMPTS = 5;

    private final Software software;
    private final TemporaryFolder folder;
    private final int port;
    private final Map<String, String> settings;
    private ServerProcess process;

    private Server(Software software, TemporaryFolder folder, int port, Map<String, String> settings) {
        this.software = software;
        this.folder = folder;
        this.port = port;
        this.settings = Map.copyOf(settings);
        this.process = launch();
    }

    /** Starts a separate PostgreSQL server; settings as in {@code postgresql.conf}. */
    public static Server postgresql(Map<String, String> settings) {
        return startOwn(Product.POSTGRESQL, new PostgresqlSoftware(), settings);
    }

    /**
     * Starts a separate PostgreSQL server of the version installed on the system, usually an older one; settings as
     * above.
     */
    public static Server installedPostgresql(Map<String, String> settings) {
        Software installed = PostgresqlSoftware.ofTheSystem();
        Availability.check(TITLE_OF_THE_SYSTEMS, installed.missing());
        return start(installed, Ports.free(), settings);
    }

    /** Starts a separate MariaDB server; settings as on the command line of {@code mariadbd}. */
    public static Server mariadb(Map<String, String> settings) {
        return startOwn(Product.MARIADB, new MariadbSoftware(), settings);
    }

    /** Starts a separate MySQL server; settings as on the command line of {@code mysqld}. */
    public static Server mysql(Map<String, String> settings) {
        return startOwn(Product.MYSQL, new MysqlSoftware(), settings);
    }

    /**
     * Starts a separate H2 server. Its databases have H2's default settings, which clients change with options of the
     * URL.
     */
    public static Server h2() {
        return startOwn(Product.H2, new H2Software(), Map.of());
    }

    private static Server startOwn(Product product, Software software, Map<String, String> settings) {
        // Checks the programs, not the engine: a URL of a user's server is of no use here.
        Availability.check(product.title(), software.missing());
        return start(software, Ports.free(), settings);
    }

    static Server start(Software software, int port, Map<String, String> settings) {
        TemporaryFolder folder = TemporaryFolder.create(software.name());
        try {
            software.initialize(folder.path());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot set up " + software.name() + " in " + folder.path(), e);
        }
        return new Server(software, folder, port, settings);
    }

    /**
     * Starts an asynchronous standby of a PostgreSQL server, which begins with a copy of its data. Restarts that server.
     */
    public static Server standbyOf(Server primary) {
        primary.kill();
        TemporaryFolder folder = TemporaryFolder.create(primary.software.name() + "-standby");
        Path data = folder.path().resolve("data");
        try {
            Commands.run(List.of("cp", "-a", primary.folder().resolve("data").toString(), data.toString()));
            Files.deleteIfExists(data.resolve("postmaster.pid"));
            Commands.run(List.of(
                    "cp",
                    "-p",
                    data.resolve("PG_VERSION").toString(),
                    data.resolve("standby.signal").toString()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy the data of a server to " + data, e);
        }
        primary.restart();
        String source =
                "host=127.0.0.1 port=" + primary.port + " user=" + Software.USER + " password=" + Software.PASSWORD;
        Map<String, String> settings = new LinkedHashMap<>(primary.settings);
        settings.put("primary_conninfo", source);
        return new Server(primary.software, folder, Ports.free(), settings);
    }

    /** Creates a new, empty database. */
    public Database freshDatabase() {
        return software.create(List.of(administration()), Databases.freshName()).get(0);
    }

    /** Returns the port it listens on, on 127.0.0.1; the same after a restart. */
    public int port() {
        return port;
    }

    /** Kills all processes of the server at once with {@code kill -9}. */
    public void kill() {
        process.kill();
    }

    /** Starts it again after {@link #kill}, with the same data and port; returns when it answers. */
    public void restart() {
        process.kill();
        process = launch();
    }

    /** Suspends all processes of the server; connections stay open and unanswered. */
    public void suspend() {
        process.suspend();
    }

    /** Resumes a suspended server. */
    public void resume() {
        process.resume();
    }

    /** Kills it and deletes its data. */
    @Override
    public void close() {
        process.kill();
        folder.delete();
    }

    /** From now on, the server and its data live as long as another process; this one can use it, but not stop it. */
    void leaveTo(ProcessHandle owner) {
        process.leaveTo(owner);
        AtExit.forget(folder);
    }

    /** Returns the command for a shell that runs it in the foreground, for tests of programs that start servers; kill it first. */
    public String shellCommand() {
        return software.command(folder.path(), port, settings).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    /** Returns the folder with its data and log. */
    public Path folder() {
        return folder.path();
    }

    Database administration() {
        return software.administration(port);
    }

    private ServerProcess launch() {
        for (int attempt = 1; ; attempt++) {
            ServerProcess started = ServerProcess.start(software.command(folder.path(), port, settings), folder.path());
            try {
                started.await(PATIENCE, software.name(), this::answers);
                return started;
            } catch (IllegalStateException e) {
                // The port of a killed server may stay in use for a moment.
                if (attempt == ATTEMPTS || !String.valueOf(e.getMessage()).contains("Address already in use")) {
                    throw e;
                }
            }
        }
    }

    private boolean answers() {
        try {
            return administration().number(software.readiness()) == 1;
        } catch (SQLException e) {
            return false;
        }
    }
}
