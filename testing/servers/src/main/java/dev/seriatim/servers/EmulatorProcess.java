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

/** The Spanner emulator of a Google Cloud SDK. Not thread-safe. */
final class EmulatorProcess {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern ADDRESS = Pattern.compile("Server address: (\\S+)");

    private final ServerProcess process;
    private final TemporaryFolder folder;
    private final String address;

    private EmulatorProcess(ServerProcess process, TemporaryFolder folder, String address) {
        this.process = process;
        this.folder = folder;
        this.address = address;
    }

    static Optional<String> missing() {
        return program().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "the Spanner emulator is not installed; gcloud components install cloud-spanner-emulator");
    }

    static EmulatorProcess start(List<String> options) {
        TemporaryFolder folder = TemporaryFolder.create("spanner");
        List<String> command = new ArrayList<>(List.of(program().orElseThrow().toString(), "--host_port=127.0.0.1:0"));
        command.addAll(options);
        ServerProcess process = ServerProcess.start(command, folder.path());
        try {
            Waiting.until(PATIENCE, "the Spanner emulator to listen", () -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException("the Spanner emulator ended during startup");
                }
                return announced(folder).isPresent();
            });
        } catch (IllegalStateException e) {
            process.kill();
            throw new IllegalStateException(e.getMessage() + "; its log ends with: " + process.logTail(), e);
        }
        return new EmulatorProcess(process, folder, announced(folder).orElseThrow());
    }

    String address() {
        return address;
    }

    void kill() {
        process.kill();
    }

    void suspend() {
        process.suspend();
    }

    void resume() {
        process.resume();
    }

    void close() {
        process.kill();
        folder.delete();
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
        return Commands.find("gcloud").flatMap(EmulatorProcess::beside);
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
}
