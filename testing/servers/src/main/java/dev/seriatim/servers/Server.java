// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server process with its own data folder, which can be killed, restarted and suspended. Closing it, or the end of
 * the JVM, kills it and deletes the folder. Not thread-safe.
 */
public final class Server implements AutoCloseable {
    /** A separate title, because requiring PostgreSQL does not require a second version of it. */
    static final String TITLE_OF_THE_SYSTEMS = "PostgreSQL of the system";

    /**
     * Removes the shared memory segment that a killed PostgreSQL on the data in the folder {@code $1} leaves in the
     * kernel, which has room for a few thousand. Its id ends the seventh line of {@code postmaster.pid}.
     */
    static final String MEMORY_REMOVAL = "ipcrm -m \"$(sed -n '7s/.* //p' \"$1/data/postmaster.pid\")\"\n";

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration PATIENCE_WITH_SIGNALS = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 5;
    private static final int TAIL = 1500;

    private final Software software;
    private final TemporaryFolder folder;
    private final int port;
    private final Map<String, String> settings;
    private final Thread atExit = new Thread(this::kill, "seriatim-server-exit");
    private volatile @Nullable Process process;

    private Server(Software software, TemporaryFolder folder, int port, Map<String, String> settings) {
        this.software = software;
        this.folder = folder;
        this.port = port;
        this.settings = Map.copyOf(settings);
        Runtime.getRuntime().addShutdownHook(atExit);
        launch();
    }

    /** Starts a separate PostgreSQL server; settings as in {@code postgresql.conf}. */
    public static Server postgresql(Map<String, String> settings) {
        return startOwn("PostgreSQL", PostgresqlSoftware.ofMaven(), settings);
    }

    /** Starts a PostgreSQL server of the version installed on the system, usually an older one; settings as above. */
    public static Server installedPostgresql(Map<String, String> settings) {
        return startOwn(TITLE_OF_THE_SYSTEMS, PostgresqlSoftware.ofTheSystem(), settings);
    }

    /** Starts a separate MariaDB server; settings as on the command line of {@code mariadbd}. */
    public static Server mariadb(Map<String, String> settings) {
        return startOwn("MariaDB", new MariadbSoftware(), settings);
    }

    /** Starts a separate MySQL server; settings as on the command line of {@code mysqld}. */
    public static Server mysql(Map<String, String> settings) {
        return startOwn("MySQL", new MysqlSoftware(), settings);
    }

    /** Starts a separate H2 server with its default settings, which options of the URL change. */
    public static Server h2() {
        return startOwn("H2", new H2Software(), Map.of());
    }

    /**
     * Starts PgBouncer in transaction mode before a database of PostgreSQL, where it has this number of sessions.
     * {@link #administration} returns the database as seen through it.
     */
    public static Server pgBouncer(Database database, int sessions) {
        return startOwn(PgBouncer.TITLE, new PgBouncer(database, sessions), Map.of());
    }

    static Server startOwn(String title, Software software, Map<String, String> settings) {
        // Checks the programs, not the engine: a URL of a user's server is of no use here.
        Availability.check(title, software.missing());
        return start(software, settings);
    }

    static Server start(Software software, Map<String, String> settings) {
        int port = Ports.free();
        TemporaryFolder folder = TemporaryFolder.create(software.name());
        try {
            software.initialize(folder.path(), port);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot set up " + software.name() + " in " + folder.path(), e);
        }
        return new Server(software, folder, port, settings);
    }

    /** Starts an asynchronous standby with a copy of a PostgreSQL server's data. Restarts that server. */
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

    public Database freshDatabase() {
        return Databases.create(Databases.freshName(), List.of(administration()))
                .get(0);
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Returns the port it listens on, on 127.0.0.1; the same after a restart. */
    public int port() {
        return port;
    }

    /** Kills all processes of the server at once with {@code kill -9}. */
    public void kill() {
        Process killed = process;
        if (killed != null && killed.isAlive()) {
            killAll(killed);
        }
        if (Files.exists(folder().resolve("data").resolve("postmaster.pid"))) {
            // Fails if the server ended normally, because it has removed the segment itself.
            Commands.succeeds(List.of("sh", "-c", MEMORY_REMOVAL, "sh", folder().toString()));
        }
    }

    private static void killAll(Process process) {
        // Suspended first, with its children, so that none can start another, which would keep its parent's ports.
        List<ProcessHandle> stopped = List.of();
        List<ProcessHandle> all = all(process);
        while (!stopped.containsAll(all)) {
            signal("STOP", all);
            stopped = all;
            all = all(process);
        }
        List<ProcessHandle> killed = stopped;
        signal("KILL", killed);
        Waiting.until(
                PATIENCE_WITH_SIGNALS,
                "the end of the server",
                () -> killed.stream().allMatch(Server::hasEnded));
    }

    /** Starts it again after {@link #kill}, with the same data and port; returns when it answers. */
    public void restart() {
        kill();
        launch();
    }

    /** Suspends all processes of the server; connections stay open and unanswered. */
    public void suspend() {
        Process main = Objects.requireNonNull(process);
        signal("STOP", List.of(main.toHandle()));
        List<ProcessHandle> suspended = all(main);
        signal("STOP", suspended);
        // On a busy machine, threads run on for some milliseconds after the signal.
        Waiting.until(
                PATIENCE_WITH_SIGNALS,
                "the stop of the server",
                () -> suspended.stream().allMatch(Server::isStopped));
    }

    public void resume() {
        List<ProcessHandle> childrenFirst = new ArrayList<>(all(Objects.requireNonNull(process)));
        Collections.reverse(childrenFirst);
        signal("CONT", childrenFirst);
    }

    /** Kills it and deletes its data. */
    @Override
    public void close() {
        kill();
        Runtime.getRuntime().removeShutdownHook(atExit);
        folder.delete();
    }

    /** From now on, the server and its data live as long as another process; this one can use it, but not stop it. */
    void leaveTo(ProcessHandle owner) {
        Runtime.getRuntime().removeShutdownHook(atExit);
        folder.leaveTo(owner);
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

    /** Returns the database for administration, with the account that has all rights. */
    public Database administration() {
        return software.administration(port);
    }

    private void launch() {
        for (int attempt = 1; ; attempt++) {
            Process started = start();
            process = started;
            try {
                Waiting.until(PATIENCE, software.name() + " to answer", () -> {
                    if (!started.isAlive()) {
                        throw new IllegalStateException(software.name() + " ended during startup");
                    }
                    return software.answers(folder(), port);
                });
                return;
            } catch (IllegalStateException e) {
                kill();
                String message = e.getMessage() + "; its log ends with: " + logTail();
                // The port of a killed server may stay in use for a moment.
                if (attempt == ATTEMPTS || !message.contains("Address already in use")) {
                    throw new IllegalStateException(message, e);
                }
            }
        }
    }

    /** Starts the process in the folder; its output is appended to a file there. */
    private Process start() {
        List<String> command = software.command(folder(), port, settings);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder().toFile());
        builder.redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder().resolve("log").toFile()));
        try {
            Process started = builder.start();
            Files.writeString(folder().resolve(TemporaryFolder.SERVER), started.pid() + "\n");
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0), e);
        }
    }

    private String logTail() {
        try {
            String text = Files.readString(folder().resolve("log"), StandardCharsets.ISO_8859_1);
            return text.substring(Math.max(0, text.length() - TAIL)).strip();
        } catch (IOException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    private static List<ProcessHandle> all(Process process) {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
    }

    /** Sends a signal to all processes; ignores those that have ended in the meantime. */
    private static void signal(String signal, List<ProcessHandle> processes) {
        // The shell's built-in kill, because the program is not installed on every machine.
        Stream<String> command = Stream.of("sh", "-c", "kill -" + signal + " \"$@\" 2>/dev/null || true", "sh");
        Stream<String> ids = processes.stream().map(process -> Long.toString(process.pid()));
        Commands.run(Stream.concat(command, ids).toList());
    }

    /** Returns whether a process has ended; a zombie has. */
    private static boolean hasEnded(ProcessHandle process) {
        return !process.isAlive() || state(Path.of("/proc", Long.toString(process.pid()))) == 'Z';
    }

    /** Returns whether every thread of a process has been stopped or has ended. */
    private static boolean isStopped(ProcessHandle process) {
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        try (Stream<Path> each = Files.list(threads)) {
            return each.allMatch(thread -> "TZX".indexOf(state(thread)) >= 0);
        } catch (IOException | UncheckedIOException e) {
            return true; // it has ended
        }
    }

    /** Returns the state of a process or thread as in {@code proc(5)}; X if it has ended. */
    private static char state(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return 'X';
        }
    }
}
