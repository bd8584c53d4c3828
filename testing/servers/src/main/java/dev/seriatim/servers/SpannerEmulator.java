// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * Google's Spanner emulator: the one at {@code SPANNER_EMULATOR_HOST}, or the program of a Google Cloud SDK, or a
 * container. It keeps its data in memory, and runs one read-write transaction per database at a time. Not thread-safe.
 */
public final class SpannerEmulator implements AutoCloseable {

    static final String TITLE = "Spanner";

    private static final String IMAGE = "gcr.io/cloud-spanner-emulator/emulator:1.5.37";
    private static final int PORT_OF_IMAGE = 9010;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern ADDRESS = Pattern.compile("Server address: (\\S+)");

    private static final Once<SpannerEmulator> SHARED = new Once<>(SpannerEmulator::startAny);

    private final String address;
    private final Optional<Started> started;

    /** A program that was started here, and the folder with its log. */
    private record Started(ServerProcess process, TemporaryFolder folder) {}

    private SpannerEmulator(String address, Optional<Started> started) {
        this.address = address;
        this.started = started;
    }

    /**
     * Returns the JVM's shared emulator, which is started on first use. Skips or fails the test if none is available.
     */
    public static SpannerEmulator shared() {
        Availability.check(TITLE, missing());
        return SHARED.get();
    }

    /**
     * Starts a separate emulator that can be killed and suspended, with options such as
     * {@code --enable_fault_injection}. Skips or fails the test if the program is not installed: a container is not
     * enough.
     */
    public static SpannerEmulator start(String... options) {
        Availability.check(TITLE, missingProgram());
        return startProgram(List.of(options));
    }

    /** Returns why none is available, with the remedy; empty if one is. Starts nothing. */
    public static Optional<String> missing() {
        boolean available = given().isPresent()
                || program().isPresent()
                || DockerClientFactory.instance().isDockerAvailable();
        return available
                ? Optional.empty()
                : missingProgram().map(reason -> reason + ", start Docker, or set SPANNER_EMULATOR_HOST");
    }

    private static Optional<String> missingProgram() {
        return program().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "the Spanner emulator is not installed; gcloud components install cloud-spanner-emulator");
    }

    /** Returns its address, {@code host:port}. */
    public String address() {
        return address;
    }

    /** Kills it with {@code kill -9}; its data is lost. */
    public void kill() {
        own().process().kill();
    }

    /** Suspends it; connections stay open and unanswered. */
    public void suspend() {
        own().process().suspend();
    }

    /** Resumes a suspended emulator. */
    public void resume() {
        own().process().resume();
    }

    @Override
    public void close() {
        kill();
        own().folder().delete();
    }

    private Started own() {
        return started.orElseThrow(
                () -> new IllegalStateException("this emulator was not started here, so it cannot be stopped"));
    }

    private static SpannerEmulator startAny() {
        if (given().isPresent()) {
            return new SpannerEmulator(given().get(), Optional.empty());
        }
        return program().isPresent() ? startProgram(List.of()) : startContainer();
    }

    private static Optional<String> given() {
        return Optional.ofNullable(System.getenv("SPANNER_EMULATOR_HOST")).filter(host -> !host.isBlank());
    }

    private static SpannerEmulator startProgram(List<String> options) {
        TemporaryFolder folder = TemporaryFolder.create("spanner");
        List<String> command = new ArrayList<>(List.of(program().orElseThrow().toString(), "--host_port=127.0.0.1:0"));
        command.addAll(options);
        ServerProcess process = ServerProcess.start(command, folder.path());
        process.await(PATIENCE, "the Spanner emulator", () -> announced(folder).isPresent());
        return new SpannerEmulator(announced(folder).orElseThrow(), Optional.of(new Started(process, folder)));
    }

    /** The system chooses the port, so that two emulators never collide; the program prints it. */
    private static Optional<String> announced(TemporaryFolder folder) {
        try {
            Matcher address = ADDRESS.matcher(Files.readString(folder.path().resolve("log")));
            return address.find() ? Optional.of(address.group(1)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> program() {
        return Commands.find("gcloud").flatMap(SpannerEmulator::beside);
    }

    /** Next to the real gcloud, because the one on the path is often a link. */
    private static Optional<Path> beside(Path gcloud) {
        try {
            return Optional.of(gcloud.toRealPath().resolveSibling("cloud_spanner_emulator/emulator_main"))
                    .filter(Files::isExecutable);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @SuppressWarnings("resource") // stays open until the JVM ends
    private static SpannerEmulator startContainer() {
        GenericContainer<?> container = new GenericContainer<>(IMAGE)
                .withExposedPorts(PORT_OF_IMAGE)
                .waitingFor(Wait.forLogMessage(".*Cloud Spanner emulator running.*", 1));
        container.start();
        AtExit.first(container::stop);
        return new SpannerEmulator(
                container.getHost() + ":" + container.getMappedPort(PORT_OF_IMAGE), Optional.empty());
    }
}
