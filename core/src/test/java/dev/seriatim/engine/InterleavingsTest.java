// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The checker is given faults and must detect them. */
@Tag("model")
@Isolated
class InterleavingsTest {

    /** Increments with a read and a write. */
    public static final class TornCounter {

        private volatile long place;

        @Operation
        public long step() {
            long here = place;
            place = here + 1;
            return here;
        }
    }

    /** Deals what it has reserved, but drops it if another thread is present. */
    public static final class ForgetfulStock {

        private final DrawAccount account = new DrawAccount();
        private final AtomicLong reserved = new AtomicLong(1);
        private volatile boolean taking;

        @Operation
        public void take() {
            boolean alone = !taking;
            taking = true;
            Block block = new Block(reserved.getAndIncrement(), 1, 1);
            account.reserved(block);
            if (alone) {
                account.dealt(block);
            }
            taking = false;
        }

        @Validate
        public void everyValueIsAccountedFor() {
            account.check();
        }
    }

    @Test
    void a_step_that_is_a_read_and_a_write_is_found() {
        assertThatThrownBy(() -> Interleavings.check(TornCounter.class, 2, 2))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("step(): 0");
    }

    @Test
    void a_value_that_goes_missing_is_found() {
        assertThatThrownBy(() -> Interleavings.check(ForgetfulStock.class, 2, 2))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("is missing");
    }
}
