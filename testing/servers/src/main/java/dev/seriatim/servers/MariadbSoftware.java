// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** MariaDB, with its default durability settings; {@code home} is where it was unpacked, blank for the system's. */
record MariadbSoftware(String home) implements Software {
    static final String HOME = "SERIATIM_TEST_MARIADB_HOME";

    private static final Map<String, String> SETTINGS = Map.of(
            "bind-address", "127.0.0.1",
            "max-connections", "600",
            "skip-name-resolve", "ON",
            "pid-file", "server.pid");

    /** Not root, as which the state transfer of Galera fails. */
    private static final String SYSTEM_USER = Unprivileged.isRoot() ? "mysql" : System.getProperty("user.name");

    /** Takes what the environment names, or the system's. */
    MariadbSoftware() {
        this(System.getenv().getOrDefault(HOME, ""));
    }

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public Optional<String> missing() {
        return program("sbin/mariadbd").isPresent()
                        && program("usr/bin/mariadb-install-db").isPresent()
                ? Optional.empty()
                : Optional.of("mariadbd is not installed; apt install mariadb-server");
    }

    @Override
    public void initialize(Path folder, int port) throws IOException {
        Path account = Files.writeString(folder.resolve("account.sql"), "FLUSH PRIVILEGES;\n" + accountStatements());
        List<String> command = start("usr/bin/mariadb-install-db", folder);
        command.addAll(
                List.of("--auth-root-authentication-method=normal", "--skip-test-db", "--extra-file=" + account));
        Commands.run(command);
    }

    @Override
    public List<String> command(Path folder, int port, Map<String, String> settings) {
        List<String> command = start("sbin/mariadbd", folder);
        command.addAll(List.of("--socket=" + folder.resolve("data").resolve("s"), "--port=" + port));
        Software.with(SETTINGS, settings).forEach((name, value) -> command.add("--" + name + "=" + value));
        return command;
    }

    @Override
    public Database administration(int port) {
        return new Database(
                "jdbc:mariadb://127.0.0.1:" + port + "/", "mysql", Map.of("sslMode", "disable"), USER, PASSWORD);
    }

    static String accountStatements() {
        return """
                CREATE USER IF NOT EXISTS '%1$s'@'%%' IDENTIFIED BY '%2$s';
                GRANT ALL PRIVILEGES ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;
                """.formatted(USER, PASSWORD);
    }

    private Optional<Path> program(String inHome) {
        return Commands.given(HOME, home, inHome).or(() -> Commands.find(inHome.replaceFirst(".*/", "")));
    }

    private List<String> start(String program, Path folder) {
        Path data = folder.resolve("data");
        List<String> command = new ArrayList<>(List.of(
                program(program).orElseThrow().toString(),
                "--no-defaults",
                "--user=" + SYSTEM_USER,
                "--datadir=" + data,
                // A server deletes all temporary tables in this folder when it starts, including those of others.
                "--tmpdir=" + data));
        if (!home.isBlank()) {
            command.add("--basedir=" + home);
        }
        return command;
    }
}
