// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The transaction of the application in the scenario spanner, which the published program runs beside its draws. */
class AppTransactionTest {

    private final AtomicInteger transactions = new AtomicInteger();

    private final FlawedStore store = new FlawedStore() {
        @Override
        public <R, X extends Exception> R inTransaction(Work<InMemoryTransaction, R, X> work) throws X {
            transactions.incrementAndGet();
            return super.inTransaction(work);
        }
    };

    @ParameterizedTest
    @CsvSource({"spanner,10", "'',0"})
    void is_a_transaction_of_the_store(String scenario, int expected) {
        try (Site site = Site.of(store, "memory:")) {
            RunPlan plan = new RunPlan(
                    Contender.of(DrawMode.BATCH),
                    2,
                    5,
                    1,
                    Duration.ofMillis(1),
                    new ClosedLoop(10, 0),
                    Setting.of(scenario, ""));
            assertThat(new PlanRunner(site, new AtomicBoolean())
                            .run(plan, "test")
                            .check()
                            .faults())
                    .isEmpty();
        }
        assertThat(transactions).hasValue(expected);
    }
}
