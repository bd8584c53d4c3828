// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeOrderCheckTest {

    private final List<AuditFinding> found = new ArrayList<>();

    private void check(long increment, long... numbers) {
        Audit.TimeOrderCheck check = new Audit.TimeOrderCheck(new Grid(0, increment), found::add);
        for (int i = 0; i < numbers.length; i++) {
            int second = i;
            check.number(numbers[i], () -> "second " + second);
        }
        assertThat(check.rows()).isEqualTo(numbers.length);
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
                        new AuditFinding.OutOfOrder(3, 4, "second 2"),
                        new AuditFinding.OutOfOrder(Long.MIN_VALUE, 3, "second 3"));
        found.clear();
        check(-5, 1, 4, 3);
        assertThat(found).containsExactly(new AuditFinding.OutOfOrder(4, 1, "second 1"));
    }
}
