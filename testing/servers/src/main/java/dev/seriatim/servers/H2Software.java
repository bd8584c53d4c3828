// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.h2.Driver;

/** H2 as a server in a separate JVM. A database is created by the first connection to it. */
final class H2Software implements Software {
    @Override
    public String name() {
        return "h2";
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public void initialize(Path folder) throws IOException {
        Files.createDirectory(folder.resolve("data"));
    }

    @Override
    public List<String> command(Path folder, int port, Map<String, String> settings) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dh2.bindAddress=127.0.0.1",
                "-cp",
                jar(),
                "org.h2.tools.Server",
                "-tcp",
                "-tcpPort",
                Integer.toString(port),
                "-ifNotExists",
                "-baseDir",
                folder.resolve("data").toString());
    }

    @Override
    public Database administration(int port) {
        return new Database(new JdbcLocation("jdbc:h2:tcp://127.0.0.1:" + port + "/", "admin", Map.of()), "sa", "");
    }

    @Override
    public List<Database> create(List<Database> administrations, String name) {
        return administrations.stream()
                .map(server -> Databases.in(server, name))
                .toList();
    }

    private static String jar() {
        try {
            return Path.of(Driver.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("cannot find H2's jar", e);
        }
    }
}
