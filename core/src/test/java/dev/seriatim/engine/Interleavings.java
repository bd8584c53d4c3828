// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static dev.seriatim.conservation.TestProperties.Property.LINCHECK_INVOCATIONS;
import static dev.seriatim.conservation.TestProperties.Property.LINCHECK_ITERATIONS;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.line.Reserver;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.LinearizabilityVerifier;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Checks the interleavings of random scenarios with Lincheck, which may switch threads at each access to shared memory.
 * The scenarios are the same in each run; {@code -Dseriatim.lincheck.iterations} sets their number.
 */
public final class Interleavings {

    private Interleavings() {}

    /** Fails if an execution has results that no sequential order of the threads' operations can have. */
    public static void check(Class<?> operations, int threads, int operationsEach) {
        check(operations, operations, threads, operationsEach);
    }

    public static void check(Class<?> operations, Class<?> specification, int threads, int operationsEach) {
        run(
                operations,
                specification,
                new ModelCheckingOptions()
                        .iterations(TestProperties.ofThisJvm().count(LINCHECK_ITERATIONS, 5))
                        .threads(threads)
                        .actorsBefore(2)
                        .actorsPerThread(operationsEach)
                        .actorsAfter(1));
    }

    /** Runs one operation on each of two threads. */
    public static void meet(Class<?> operations, Class<?> specification) {
        run(
                operations,
                specification,
                new ModelCheckingOptions()
                        .iterations(1)
                        .threads(2)
                        .actorsBefore(0)
                        .actorsPerThread(1)
                        .actorsAfter(0));
    }

    private static void run(Class<?> operations, Class<?> specification, ModelCheckingOptions options) {
        Counted.EXECUTIONS.set(0);
        long began = System.nanoTime();
        options.invocationsPerIteration(TestProperties.ofThisJvm().count(LINCHECK_INVOCATIONS, 100))
                .sequentialSpecification(specification)
                .verifier(Counted.class)
                .addGuarantee(forClasses(
                                DrawAccount.class.getName(),
                                Block.class.getName(),
                                Listeners.class.getName(),
                                Reserver.class.getName(),
                                SequenceException.class.getName())
                        .allMethods()
                        .ignore())
                .check(operations);
        System.out.printf(
                "lincheck: %s: %d executions, %.1f s%n",
                operations.getSimpleName(), Counted.EXECUTIONS.get(), (System.nanoTime() - began) / 1e9);
    }

    /** Checks linearizability and counts executions. */
    public static final class Counted implements Verifier {
        static final AtomicLong EXECUTIONS = new AtomicLong();

        private final LinearizabilityVerifier verifier;

        public Counted(Class<?> specification) {
            verifier = new LinearizabilityVerifier(specification);
        }

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            EXECUTIONS.incrementAndGet();
            return verifier.verifyResults(scenario, results);
        }
    }
}
