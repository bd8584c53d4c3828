// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * The command line client that people type SQL into: {@code mariadb} or {@code psql}.
 *
 * @param command prints values alone, a line each, and ends with the first error
 * @param environment holds the password
 */
record SqlClient(List<String> command, Map<String, String> environment) {

    /** The client of a MariaDB database; where it is not installed, the test is skipped. */
    static SqlClient mariaDb(Database database) {
        URI server = server(database);
        return new SqlClient(
                List.of(
                        installed("mariadb"),
                        "--no-defaults",
                        "--batch",
                        "--skip-column-names",
                        "--unbuffered",
                        "--protocol=tcp",
                        "--host=" + server.getHost(),
                        "--port=" + server.getPort(),
                        "--user=" + database.user(),
                        database.location().database()),
                Map.of("MYSQL_PWD", database.password()));
    }

    /** The client of a PostgreSQL database; where it is not installed, the test is skipped. */
    static SqlClient psql(Database database) {
        URI server = server(database);
        return new SqlClient(
                List.of(
                        installed("psql"),
                        "--no-psqlrc",
                        "--quiet",
                        "--no-align",
                        "--tuples-only",
                        "--set=ON_ERROR_STOP=1",
                        "--host=" + server.getHost(),
                        "--port=" + server.getPort(),
                        "--username=" + database.user(),
                        "--file=-",
                        database.location().database()),
                Map.of("PGPASSWORD", database.password()));
    }

    /**
     * Types a text in, and tells what is printed.
     *
     * @throws AssertionError when the client fails
     */
    String run(String text) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        Path errors = Files.createTempFile("client", ".err");
        Process client = builder.redirectError(errors.toFile()).start();
        try {
            Thread typing = new Thread(() -> type(client, text));
            typing.start();
            String printed = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            typing.join();
            if (client.waitFor() != 0) {
                throw new AssertionError(command.get(0) + " failed: " + Files.readString(errors));
            }
            return printed;
        } finally {
            client.destroyForcibly();
            Files.delete(errors);
        }
    }

    private static void type(Process client, String text) {
        try (OutputStream keyboard = client.getOutputStream()) {
            keyboard.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It has ended with an error, which its exit code tells.
        }
    }

    private static URI server(Database database) {
        return URI.create(database.location().server().substring("jdbc:".length()));
    }

    private static String installed(String program) {
        Path path = Path.of("/usr/bin", program);
        Assumptions.assumeTrue(Files.isExecutable(path), () -> "skipped: the client " + path + " is not installed");
        return path.toString();
    }
}
