// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Faults of processes that draw, and of a server that a command runs. Stateless. */
public final class ProcessFaults {

    private static final Duration SHORTEST_STOP = Duration.ofMillis(50);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(3);
    private static final Duration LONGEST_STOP_OF_SERVER = Duration.ofSeconds(5);

    private ProcessFaults() {}

    /** Starts a process in the place of a killed one. */
    public interface Replacement {
        /** Returns when the new process draws. */
        void replace(ProcessHandle killed) throws InterruptedException;
    }

    /** Returns a fault that kills one process with {@code kill -9}, and replaces it; the processes are in the order of their start. */
    public static InjectedFault kill(String name, Supplier<List<ProcessHandle>> processes, Replacement replacement) {
        return new InjectedFault(name, dice -> {
            ProcessHandle victim = choose(processes.get(), dice);
            victim.destroyForcibly();
            replacement.replace(victim);
        });
    }

    /** Returns a fault that suspends one process for a while. Not everywhere: see {@link ChildProcesses#checkSuspension}. */
    @SuppressWarnings("try") // closing the suspension is its only use
    public static InjectedFault stop(Supplier<List<ProcessHandle>> processes) {
        return new InjectedFault("process stopped", dice -> {
            try (ChildProcesses.Suspension suspension = ChildProcesses.suspend(choose(processes.get(), dice))) {
                pause(dice, LONGEST_STOP);
            }
        });
    }

    /** Returns a fault that kills all processes of the server with {@code kill -9}, and restarts it. */
    public static InjectedFault kill(ServerCommand server) {
        return new InjectedFault("server killed", dice -> server.start());
    }

    /** Returns a fault that suspends all processes of the server for a while. */
    public static InjectedFault stop(ServerCommand server) {
        return new InjectedFault("server stopped", dice -> {
            try {
                server.suspend();
                pause(dice, LONGEST_STOP_OF_SERVER);
            } finally {
                server.resume();
            }
        });
    }

    private static ProcessHandle choose(List<ProcessHandle> processes, RandomGenerator dice) {
        return processes.get(dice.nextInt(processes.size()));
    }

    private static void pause(RandomGenerator dice, Duration longest) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(
                Injector.between(dice, SHORTEST_STOP, longest).toNanos());
    }
}
