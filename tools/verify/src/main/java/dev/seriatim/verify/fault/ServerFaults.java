// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** What is done to a server that a command runs. */
public final class ServerFaults {

    /** The name of the fault that stops it for a while. */
    public static final String STOPPED = "server stopped";

    private static final Duration SHORTEST_STOP = Duration.ofMillis(50);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(5);

    private ServerFaults() {}

    /** Returns a fault that kills all processes of the server with {@code kill -9}, and restarts it. */
    public static InjectedFault kill(ServerCommand server) {
        return new Kill(server);
    }

    /** Returns a fault that stops all processes of the server for a while. */
    public static InjectedFault stop(ServerCommand server) {
        return new Stop(server);
    }

    private record Kill(ServerCommand server) implements InjectedFault {
        @Override
        public FaultKind kind() {
            return FaultKind.SERVER;
        }

        @Override
        public String name() {
            return "server killed";
        }

        @Override
        public void strike(RandomGenerator dice) throws InterruptedException {
            server.restart();
        }
    }

    private record Stop(ServerCommand server) implements InjectedFault {
        @Override
        public FaultKind kind() {
            return FaultKind.SERVER;
        }

        @Override
        public String name() {
            return STOPPED;
        }

        @Override
        public void strike(RandomGenerator dice) throws InterruptedException {
            try {
                server.suspend();
                TimeUnit.NANOSECONDS.sleep(
                        FaultPlan.between(dice, SHORTEST_STOP, LONGEST_STOP).toNanos());
            } finally {
                server.resume();
            }
        }
    }
}
