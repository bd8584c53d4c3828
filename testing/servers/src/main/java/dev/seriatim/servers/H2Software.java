// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    public void initialize(Path folder, int port) throws IOException {
        Files.createDirectory(folder.resolve("data"));
    }

    @Override
    public List<String> command(Path folder, int port, Map<String, String> settings) {
        return ProgramRun.java(
                        "-Dh2.bindAddress=127.0.0.1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.h2.tools.Server",
                        "-tcp",
                        "-tcpPort",
                        Integer.toString(port),
                        "-ifNotExists",
                        "-baseDir",
                        folder.resolve("data").toString())
                .command();
    }

    @Override
    public Database administration(int port) {
        return new Database("jdbc:h2:tcp://127.0.0.1:" + port + "/", "admin", Map.of(), "sa", "");
    }
}
