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
 * The command-line client into which users type SQL: {@code mariadb} or {@code psql}.
 *
 * @param command prints only values, one per line, and stops at the first error
 * @param environment contains the password
 */
record SqlClient(List<String> command, Map<String, String> environment) {

    /** Returns the client of a MariaDB database; skips the test if it is not installed. */
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
                        database.name()),
                Map.of("MYSQL_PWD", database.password()));
    }

    /** Returns the client of a PostgreSQL database; skips the test if it is not installed. */
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
                        database.name()),
                Map.of("PGPASSWORD", database.password()));
    }

    /**
     * Types a text and returns the output.
     *
     * @throws AssertionError if the client fails
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
            // It ended with an error, as its exit code shows.
        }
    }

    private static URI server(Database database) {
        return URI.create(database.server().substring("jdbc:".length()));
    }

    private static String installed(String program) {
        Path path = Path.of("/usr/bin", program);
        Assumptions.assumeTrue(Files.isExecutable(path), () -> "skipped: the client " + path + " is not installed");
        return path.toString();
    }
}
