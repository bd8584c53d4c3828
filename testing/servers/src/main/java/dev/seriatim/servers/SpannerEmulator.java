// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * Google's Spanner emulator: the one at {@code SPANNER_EMULATOR_HOST}, or the program of a Google Cloud SDK, or a
 * container. It keeps its data in memory, and runs one read-write transaction per database at a time. Thread-safe.
 */
public final class SpannerEmulator {

    static final String TITLE = "Spanner";

    private static final String IMAGE = "gcr.io/cloud-spanner-emulator/emulator:1.5.37";
    private static final int PORT_OF_IMAGE = 9010;

    private static final Once<String> SHARED = new Once<>(SpannerEmulator::startAny);

    private SpannerEmulator() {}

    /** Returns the address of the shared emulator, started on first use. Skips or fails the test if there is none. */
    public static String shared() {
        Availability.check(TITLE, missing());
        return SHARED.get();
    }

    /**
     * Starts a separate emulator, with options such as {@code --enable_fault_injection}. Skips or fails without its
     * program.
     */
    public static Server start(String... options) {
        return Server.startOwn(TITLE, new Program(List.of(options)), Map.of());
    }

    /** Returns why none is available, with the remedy; empty if one is. Starts nothing. */
    public static Optional<String> missing() {
        return given().isPresent()
                        || program().isPresent()
                        || DockerClientFactory.instance().isDockerAvailable()
                ? Optional.empty()
                : new Program(List.of())
                        .missing()
                        .map(reason -> reason + ", start Docker, or set SPANNER_EMULATOR_HOST");
    }

    private static String startAny() {
        return given().orElseGet(() -> program().isPresent() ? start().address() : startContainer());
    }

    private static Optional<String> given() {
        return Optional.ofNullable(System.getenv("SPANNER_EMULATOR_HOST")).filter(host -> !host.isBlank());
    }

    /** Returns the program next to the real gcloud, because the one on the path is often a link. */
    private static Optional<Path> program() {
        try {
            Optional<Path> gcloud = Commands.find("gcloud");
            return gcloud.isEmpty()
                    ? gcloud
                    : Optional.of(gcloud.get().toRealPath().resolveSibling("cloud_spanner_emulator/emulator_main"))
                            .filter(Files::isExecutable);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @SuppressWarnings("resource") // stays open until the JVM ends
    private static String startContainer() {
        GenericContainer<?> container = new GenericContainer<>(IMAGE)
                .withExposedPorts(PORT_OF_IMAGE)
                .waitingFor(Wait.forLogMessage(".*Cloud Spanner emulator running.*", 1));
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
        return container.getHost() + ":" + container.getMappedPort(PORT_OF_IMAGE);
    }

    private record Program(List<String> options) implements Software {
        @Override
        public String name() {
            return "spanner";
        }

        @Override
        public Optional<String> missing() {
            return program().isPresent()
                    ? Optional.empty()
                    : Optional.of(
                            "the Spanner emulator is not installed; gcloud components install cloud-spanner-emulator");
        }

        @Override
        public void initialize(Path folder, int port) {}

        @Override
        public List<String> command(Path folder, int port, Map<String, String> settings) {
            List<String> command = new ArrayList<>(options);
            command.addAll(0, List.of(program().orElseThrow().toString(), "--host_port=127.0.0.1:" + port));
            return command;
        }

        @Override
        public Database administration(int port) {
            throw new UnsupportedOperationException("the emulator has no database at first");
        }

        @Override
        public boolean answers(Path folder, int port) {
            try {
                return Files.readString(folder.resolve("log")).contains("Server address: ");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
