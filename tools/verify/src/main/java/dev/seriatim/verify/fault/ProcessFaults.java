// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** What is done to the processes that draw. */
public final class ProcessFaults {

    private static final Duration SHORTEST_STOP = Duration.ofMillis(50);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(3);

    private ProcessFaults() {}

    /** Returns a fault that kills one process with {@code kill -9}, and has it replaced. */
    public static InjectedFault kill(Workforce workforce) {
        return new Kill(workforce);
    }

    /** Returns a fault that stops one process for a while, which is not possible where {@link ProcessSignal#missing} says why. */
    public static InjectedFault stop(Workforce workforce) {
        return new Stop(workforce);
    }

    private static ProcessHandle choose(List<ProcessHandle> processes, RandomGenerator dice) {
        if (processes.isEmpty()) {
            throw new IllegalStateException("no process is running");
        }
        return processes.get(dice.nextInt(processes.size()));
    }

    private record Kill(Workforce workforce) implements InjectedFault {
        @Override
        public FaultKind kind() {
            return FaultKind.KILL;
        }

        @Override
        public String name() {
            return "process killed";
        }

        @Override
        public void strike(RandomGenerator dice) throws InterruptedException {
            ProcessHandle victim = choose(workforce.processes(), dice);
            ProcessSignal.KILL.send(List.of(victim));
            workforce.replace(victim);
        }
    }

    private record Stop(Workforce workforce) implements InjectedFault {
        @Override
        public FaultKind kind() {
            return FaultKind.STOP;
        }

        @Override
        public String name() {
            return "process stopped";
        }

        @Override
        public void strike(RandomGenerator dice) throws InterruptedException {
            ProcessHandle victim = choose(workforce.processes(), dice);
            try (Standstill standstill = Standstill.of(victim)) {
                standstill.last(FaultPlan.between(dice, SHORTEST_STOP, LONGEST_STOP));
            }
        }
    }
}
