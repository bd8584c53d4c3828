// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.servers.Engine;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * How extensive a trial is: small in every build, large with {@code -Dseriatim.trials=soak}, whose size {@code
 * -Dseriatim.trials.rounds} sets.
 *
 * @param draws draws per thread if nothing is killed
 * @param killedApplications how many drawing processes are killed
 * @param killedServers how many times a server is killed
 * @param stop how long a server is stopped
 * @param rounds rounds of rollbacks alongside commits, in each mode
 */
record Scale(int draws, int killedApplications, int killedServers, Duration stop, int rounds) {

    private static final Scale BUILD = new Scale(20, 2, 2, Duration.ofSeconds(3), 3);
    private static final Scale SOAK = new Scale(250, 50, 20, Duration.ofSeconds(10), 10_000);

    static Scale chosen() {
        TestProperties asked = TestProperties.ofThisJvm();
        return asked.isSoak() ? SOAK.withRounds(asked.count(Property.TRIALS_ROUNDS, SOAK.rounds)) : BUILD;
    }

    private Scale withRounds(int others) {
        return new Scale(draws, killedApplications, killedServers, stop, others);
    }

    /** Returns the engines to try: all, or those that {@code -Dseriatim.trials.engines} lists, separated by commas. */
    static Stream<Engine> engines() {
        return TestProperties.ofThisJvm().named(Property.TRIALS_ENGINES, Engine.class).stream();
    }

    /** Returns whether engines were listed. */
    static boolean named() {
        return TestProperties.ofThisJvm().has(Property.TRIALS_ENGINES);
    }

    /** Skips a trial on an engine that was not requested. */
    static void assume(Engine engine) {
        Assumptions.assumeTrue(engines().anyMatch(engine::equals), "not in seriatim.trials.engines");
    }

    /** Skips a trial that belongs to a soak. */
    static void assumeSoak(String reason) {
        Assumptions.assumeTrue(TestProperties.ofThisJvm().isSoak(), reason);
    }

    /** Prints a line in a soak, to show its progress and size. */
    void tell(String line) {
        if (!equals(BUILD)) {
            System.out.println("trial: " + line);
        }
    }
}
