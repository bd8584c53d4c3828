// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** The Spanner emulator in a container, which ends with the JVM. */
final class EmulatorContainer {
    private static final String IMAGE = "gcr.io/cloud-spanner-emulator/emulator:1.5.37";
    private static final int PORT = 9010;

    private EmulatorContainer() {}

    static Optional<String> missing() {
        return DockerClientFactory.instance().isDockerAvailable()
                ? Optional.empty()
                : Optional.of("Docker is not running");
    }

    /** Starts it and returns its address. */
    @SuppressWarnings("resource") // stays open until the JVM ends
    static String start() {
        GenericContainer<?> container = new GenericContainer<>(IMAGE)
                .withExposedPorts(PORT)
                .waitingFor(Wait.forLogMessage(".*Cloud Spanner emulator running.*", 1));
        container.start();
        AtExit.first(container::stop);
        return container.getHost() + ":" + container.getMappedPort(PORT);
    }
}
