// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.GaplessSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The entry point for users of Spanner's client. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpannerSequencesTest {

    @Test
    void every_guarantee_and_again_in_the_next_process() {
        try (SpannerStore store = EmulatorDatabase.create().store()) {
            for (int run = 0; run < 2; run++) {
                try (SpannerSequences sequences =
                        SpannerSequences.over(store, settings -> settings.giveBackOnClose(true))) {
                    GaplessSequence<TransactionContext> invoices = sequences.gapless("invoice");
                    assertThat(sequences.unique("order_id").next()).isEqualTo(run + 1);
                    assertThat(sequences.ordered("ticket").next()).isEqualTo(run + 1);
                    assertThat(sequences.<Long, RuntimeException>inTransaction(invoices::next))
                            .isEqualTo(2 * run + 1);
                    assertThat(invoices.grouped().<Long, RuntimeException>commit(Turn::next))
                            .isEqualTo(2 * run + 2);
                    assertThatThrownBy(invoices::pooled)
                            .isInstanceOf(SequenceException.Misconfigured.class)
                            .hasMessageStartingWith("sequence 'invoice': Spanner does not support POOLED")
                            .hasMessageEndingWith("use GROUPED, or SYNC with short transactions");
                    assertThat(store.poolState("invoice")).isEmpty();
                }
            }
        }
    }
}
