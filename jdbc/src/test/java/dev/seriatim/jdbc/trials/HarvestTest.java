// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Shows each check of the trials a fault. */
class HarvestTest {

    private final Harvest harvest = new Harvest(TrialMode.SYNC);

    @Test
    void nothing_is_found_where_nothing_is_wrong() {
        draw(1, 2, 3);
        assertThat(harvest.findings()).isEmpty();
        assertThat(harvest.findings(ledger(4, 1L, 2L, 3L))).isEmpty();
    }

    @Test
    void a_row_whose_commit_was_not_acknowledged_is_no_fault() {
        draw(1, 2);
        assertThat(harvest.findings(ledger(4, 1L, 2L, 3L))).isEmpty();
    }

    @Test
    void a_value_that_was_drawn_twice_is_found() {
        draw(1, 2, 2);
        assertThat(harvest.findings()).anySatisfy(finding -> assertThat(finding).contains("1 of 3 values repeated"));
    }

    @Test
    void a_value_below_one_that_was_drawn_before_is_found() {
        draw(1, 3, 2);
        assertThat(harvest.findings()).singleElement().asString().contains("1 of 3 values out of order");
    }

    @Test
    void a_hole_in_the_ledger_is_found() {
        assertThat(harvest.findings(ledger(4, 1L, 3L)))
                .singleElement()
                .asString()
                .contains("not gapless");
    }

    @Test
    void a_counter_ahead_of_the_ledger_is_found() {
        assertThat(harvest.findings(ledger(4, 1L, 2L)))
                .singleElement()
                .asString()
                .contains("not gapless");
        assertThat(harvest.findings(ledger(2))).singleElement().asString().contains("not gapless");
    }

    @Test
    void an_acknowledged_commit_that_the_ledger_lacks_is_found() {
        draw(1, 2, 3);
        assertThat(harvest.findings(ledger(3, 1L, 2L)))
                .singleElement()
                .asString()
                .contains("1 of 3 acknowledged");
    }

    private void draw(long... values) {
        for (int i = 0; i < values.length; i++) {
            harvest.drew(2L * i, 2L * i + 1, values[i]);
        }
    }

    @Test
    void what_is_laid_out_is_no_hole() {
        draw(1, 4);
        assertThat(harvest.findings(pooled(6, List.of(1L, 4L), List.of(2L, 3L, 5L))))
                .isEmpty();
    }

    @Test
    void a_hole_in_a_pool_is_found() {
        assertThat(harvest.findings(pooled(6, List.of(1L, 4L), List.of(2L, 5L))))
                .singleElement()
                .asString()
                .contains("not gapless");
    }

    @Test
    void a_number_that_is_laid_out_although_it_was_committed_is_found() {
        assertThat(harvest.findings(pooled(4, List.of(1L, 2L), List.of(2L, 3L))))
                .singleElement()
                .asString()
                .contains("laid out again");
    }

    private static StoredNumbers.State ledger(long next, Long... rows) {
        return pooled(next, List.of(rows), List.of());
    }

    private static StoredNumbers.State pooled(long next, List<Long> rows, List<Long> laidOut) {
        return new StoredNumbers.State(next, new TreeSet<>(rows), new TreeSet<>(laidOut));
    }
}
