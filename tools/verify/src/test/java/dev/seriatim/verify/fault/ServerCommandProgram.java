// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import dev.seriatim.cli.option.Interruption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Starts a command that writes a file, says so, and waits for its own end; or, told to end, says whether the server still runs. */
final class ServerCommandProgram {

    private ServerCommandProgram() {}

    @SuppressWarnings("try") // it delays the end
    public static void main(String[] args) throws Exception {
        Path ready = Path.of(args[1]);
        ServerCommand server =
                new ServerCommand(args[0], Path.of(args[2]), () -> Files.exists(ready), Duration.ofSeconds(20));
        server.start();
        if (args.length > 3) {
            AtomicBoolean stop = new AtomicBoolean();
            try (Interruption unused = new Interruption(stop, "")) {
                System.out.println("started");
                while (!stop.get()) {
                    Thread.sleep(10);
                }
                Thread.sleep(500);
                System.out.println(server.isRunning() ? "running" : "killed");
                server.close();
            }
            return;
        }
        System.out.println("started");
        int end = System.in.read();
        System.exit(end);
    }
}
