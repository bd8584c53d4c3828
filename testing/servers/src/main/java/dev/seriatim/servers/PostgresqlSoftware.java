// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL from a Maven artifact, or as installed on the system. It refuses to run as root. */
final class PostgresqlSoftware implements Software {
    private static final Path INSTALLATIONS = Path.of("/usr/lib/postgresql");
    private static final Map<String, String> SETTINGS = Map.of(
            "fsync", "on",
            "synchronous_commit", "on",
            // In files among the data, because files in /dev/shm would outlive a killed server.
            "dynamic_shared_memory_type", "mmap",
            "max_connections", "600",
            "listen_addresses", "127.0.0.1",
            "unix_socket_directories", "");

    /** Its address contains its version. */
    private static final @Nullable URL ARCHIVE = PostgresqlSoftware.class.getResource("/postgres-linux-x86_64.txz");

    private static final Once<Path> UNPACKED = new Once<>(PostgresqlSoftware::unpackOnce);

    private final Supplier<Optional<Path>> home;
    private final List<String> options;
    private final String remedy;

    private PostgresqlSoftware(Supplier<Optional<Path>> home, List<String> options, String remedy) {
        this.home = home;
        this.options = options;
        this.remedy = remedy;
    }

    /**
     * Returns the version from Maven. It hashes passwords once per connection instead of 4,096 times, which versions before 16 cannot:
     * tests open thousands of connections in slow JVMs. The installed version takes passwords as they are.
     */
    static PostgresqlSoftware ofMaven() {
        return new PostgresqlSoftware(
                PostgresqlSoftware::fromMaven,
                List.of("--auth=scram-sha-256", "--set=scram_iterations=1"),
                "no programs are available for %s on %s; run the tests on Linux on amd64"
                        .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }

    /** Returns the oldest version that is installed on the system, in Debian's layout. */
    static PostgresqlSoftware ofTheSystem() {
        return new PostgresqlSoftware(
                PostgresqlSoftware::installed,
                List.of("--auth=password"),
                "PostgreSQL is not installed in " + INSTALLATIONS + "; apt install postgresql");
    }

    /**
     * Returns the programs' folder, unpacked once per user and version; empty if Maven provides none for this platform.
     */
    private static Optional<Path> fromMaven() {
        boolean provided = System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64")
                && ARCHIVE != null;
        return provided ? Optional.of(UNPACKED.get()) : Optional.empty();
    }

    private static Path unpackOnce() {
        String user = System.getProperty("user.name");
        try {
            URL archive = Objects.requireNonNull(ARCHIVE);
            String name = "seriatim-postgresql-%s-%x"
                    .formatted(user, archive.toString().hashCode());
            Path target = Path.of(System.getProperty("java.io.tmpdir"), name);
            if (!Files.exists(target)) {
                unpack(archive, target);
            }
            String owner = Files.getOwner(target).getName();
            if (!owner.equals(user)) {
                throw new IOException("%s belongs to %s; remove it".formatted(target, owner));
            }
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack PostgreSQL", e);
        }
    }

    private static void unpack(URL archive, Path target) throws IOException {
        Path draft = TemporaryFolder.create("unpack").path();
        // Uses tar because it preserves links and modes, and decompresses here because not every machine has xz.
        Process tar = new ProcessBuilder("tar", "-x", "--no-same-owner", "-C", draft.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream programs = new XZInputStream(archive.openStream());
                var input = tar.getOutputStream()) {
            programs.transferTo(input);
        }
        if (tar.onExit().join().exitValue() != 0) {
            throw new IOException("tar failed");
        }
        try {
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // Another process may already have unpacked the same content.
            if (!Files.isDirectory(target)) {
                throw e;
            }
        }
    }

    private static Optional<Path> installed() {
        if (!Files.isDirectory(INSTALLATIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLATIONS)) {
            return versions.filter(version -> Files.isExecutable(version.resolve("bin/initdb")))
                    .min(Comparator.comparing(version -> version.getFileName().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public Optional<String> missing() {
        if (home.get().isEmpty()) {
            return Optional.of(remedy);
        }
        return Unprivileged.isPossible()
                ? Optional.empty()
                : Optional.of(
                        "PostgreSQL refuses to run as root, and setpriv and unshare fail; run the tests as another user");
    }

    @Override
    public void initialize(Path folder, int port) throws IOException {
        Path password = Files.writeString(folder.resolve("password"), PASSWORD);
        Path data = Unprivileged.createFolder(folder.resolve("data"));
        List<String> command = program(
                "initdb",
                "--pgdata=" + data,
                "--username=" + USER,
                "--pwfile=" + password,
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync");
        command.addAll(options);
        Commands.run(command);
    }

    @Override
    public List<String> command(Path folder, int port, Map<String, String> settings) {
        List<String> command =
                program("postgres", "-D", folder.resolve("data").toString(), "-p", Integer.toString(port));
        Software.with(SETTINGS, settings).forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        return command;
    }

    @Override
    public Database administration(int port) {
        return new Database("jdbc:postgresql://127.0.0.1:" + port + "/", "postgres", Map.of(), USER, PASSWORD);
    }

    private List<String> program(String name, String... arguments) {
        List<String> command = new ArrayList<>(Unprivileged.prefix());
        command.add(home.get().orElseThrow().resolve("bin").resolve(name).toString());
        command.addAll(List.of(arguments));
        return command;
    }
}
