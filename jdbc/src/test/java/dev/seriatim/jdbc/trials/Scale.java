// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.servers.Engine;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * How extensive a trial is: small, or large with {@code -Dseriatim.trials=soak}, whose size {@code
 * -Dseriatim.trials.rounds} sets.
 *
 * @param rounds rounds of rollbacks alongside commits, in each mode
 */
record Scale(int rounds) {

    private static final Scale BUILD = new Scale(3);
    private static final int SOAK_ROUNDS = 10_000;

    static Scale chosen() {
        TestProperties asked = TestProperties.ofThisJvm();
        return asked.isSoak() ? new Scale(asked.count(Property.TRIALS_ROUNDS, SOAK_ROUNDS)) : BUILD;
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
