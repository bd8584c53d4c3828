// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** MariaDB as installed on the system, with its default durability settings. */
final class MariadbSoftware implements Software {
    private static final Map<String, String> SETTINGS = Map.of(
            "bind-address", "127.0.0.1",
            "max-connections", "400",
            "skip-name-resolve", "ON",
            "pid-file", "server.pid");

    private final String systemUser;

    MariadbSoftware() {
        this(whoRuns());
    }

    MariadbSoftware(String systemUser) {
        this.systemUser = systemUser;
    }

    static String whoRuns() {
        return System.getProperty("user.name");
    }

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public Optional<String> missing() {
        return Commands.find("mariadbd").isPresent()
                        && Commands.find("mariadb-install-db").isPresent()
                ? Optional.empty()
                : Optional.of("mariadbd is not installed; apt install mariadb-server");
    }

    @Override
    public void initialize(Path folder) throws IOException {
        Path account = Files.writeString(folder.resolve("account.sql"), "FLUSH PRIVILEGES;\n" + accountStatements());
        Commands.run(List.of(
                program("mariadb-install-db"),
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--extra-file=" + account,
                "--user=" + systemUser,
                "--datadir=" + folder.resolve("data"),
                ownTemporaryFiles(folder)));
    }

    @Override
    public List<String> command(Path folder, int port, Map<String, String> settings) {
        List<String> command = new ArrayList<>(List.of(
                program("mariadbd"),
                "--no-defaults",
                "--user=" + systemUser,
                "--datadir=" + folder.resolve("data"),
                ownTemporaryFiles(folder),
                "--socket=" + folder.resolve("data").resolve("s"),
                "--port=" + port));
        Software.with(SETTINGS, settings).forEach((name, value) -> command.add("--" + name + "=" + value));
        return command;
    }

    @Override
    public Database administration(int port) {
        var location =
                new JdbcLocation("jdbc:mariadb://127.0.0.1:" + port + "/", "mysql", Map.of("sslMode", "disable"));
        return new Database(location, USER, PASSWORD);
    }

    static String accountStatements() {
        return """
                CREATE USER IF NOT EXISTS '%1$s'@'%%' IDENTIFIED BY '%2$s';
                GRANT ALL PRIVILEGES ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;
                """.formatted(USER, PASSWORD);
    }

    /**
     * A separate folder, because a server deletes all temporary tables in its folder when it starts, including those of
     * other servers.
     */
    private static String ownTemporaryFiles(Path folder) {
        return "--tmpdir=" + folder.resolve("data");
    }

    private static String program(String name) {
        return Commands.find(name).orElseThrow().toString();
    }
}
