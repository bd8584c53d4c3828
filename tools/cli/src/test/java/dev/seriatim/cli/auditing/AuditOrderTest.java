// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AuditOrderTest {

    private final List<AuditFinding> found = new ArrayList<>();

    private void check(long increment, long... numbers) {
        Audit check = new Audit(
                new Dealt(0, increment, 0, false), Long.MAX_VALUE, new Findings(found::add), new AtomicLong());
        for (int i = 0; i < numbers.length; i++) {
            int second = i;
            check.inTime(numbers[i], () -> "second " + second);
        }
        assertThat(check.rowsInTime).isEqualTo(numbers.length);
    }

    @Test
    void numbers_that_only_go_on_are_in_order() {
        check(1, 1, 2, 2, 9, Long.MAX_VALUE);
        check(-1, Long.MAX_VALUE, 9, 2, 2, Long.MIN_VALUE);
        check(1);
        assertThat(found).isEmpty();
    }

    @Test
    void each_step_back_is_reported_with_its_time() {
        check(1, 1, 4, 3, Long.MIN_VALUE, 5);
        assertThat(found)
                .containsExactly(
                        AuditFinding.outOfOrder(3, 4, "second 2"),
                        AuditFinding.outOfOrder(Long.MIN_VALUE, 3, "second 3"));
        found.clear();
        check(-5, 1, 4, 3);
        assertThat(found).containsExactly(AuditFinding.outOfOrder(4, 1, "second 1"));
    }
}
