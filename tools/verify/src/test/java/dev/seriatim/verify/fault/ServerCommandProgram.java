// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Starts a command that writes a file, says so, and waits for its own end. */
final class ServerCommandProgram {

    private ServerCommandProgram() {}

    public static void main(String[] args) throws Exception {
        Path ready = Path.of(args[1]);
        ServerCommand server =
                new ServerCommand(args[0], Path.of(args[2]), () -> Files.exists(ready), Duration.ofSeconds(20));
        server.start();
        System.out.println("started");
        int end = System.in.read();
        System.exit(end);
    }
}
