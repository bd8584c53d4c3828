// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** MySQL, if available, with its default durability settings. */
final class MysqlSoftware implements Software {
    static final String HOME = "SERIATIM_TEST_MYSQL_HOME";
    private static final Map<String, String> SETTINGS = Map.of(
            "bind-address", "127.0.0.1",
            "mysqlx", "OFF",
            "secure-file-priv", "NULL",
            "max-connections", "600",
            "skip-name-resolve", "ON",
            "pid-file", "server.pid",
            "socket", "s");

    @Override
    public String name() {
        return "mysql";
    }

    @Override
    public Optional<String> missing() {
        return program().isPresent()
                ? Optional.empty()
                : Optional.of("MySQL's mysqld is not installed; run testing/servers/fetch-server mysql FOLDER, and set "
                        + HOME + " to the folder");
    }

    @Override
    public void initialize(Path folder, int port) throws IOException {
        Path account = Files.writeString(folder.resolve("account.sql"), MariadbSoftware.accountStatements());
        List<String> command = start(folder);
        command.addAll(List.of("--initialize-insecure", "--init-file=" + account));
        Commands.run(command);
    }

    @Override
    public List<String> command(Path folder, int port, Map<String, String> settings) {
        List<String> command = start(folder);
        command.add("--port=" + port);
        Software.with(SETTINGS, settings).forEach((name, value) -> command.add("--" + name + "=" + value));
        return command;
    }

    @Override
    public Database administration(int port) {
        // Without TLS, its passwords need the server's public key, which the driver requests only if allowed.
        return new Database("jdbc:mysql://127.0.0.1:" + port + "/", "mysql", Map.of(), USER, PASSWORD)
                .option("sslMode", "DISABLED")
                .option("allowPublicKeyRetrieval", "true");
    }

    private static List<String> start(Path folder) {
        Path program = program().orElseThrow();
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--no-defaults",
                "--user=" + System.getProperty("user.name"),
                "--datadir=" + folder.resolve("data")));
        // Its message files are in the unpacked folder, not at the path compiled into it.
        Path base = program.resolveSibling("../usr").normalize();
        if (Files.isDirectory(base.resolve("share").resolve("mysql"))) {
            command.add("--basedir=" + base);
        }
        return command;
    }

    private static Optional<Path> program() {
        Optional<Path> found =
                Commands.given(HOME, System.getenv(HOME), "bin/mysqld").or(() -> Commands.find("mysqld"));
        // MariaDB's program has the same name.
        return found.filter(program ->
                !Commands.run(List.of(program.toString(), "--version")).contains("MariaDB"));
    }
}
