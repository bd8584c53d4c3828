// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FindingTallyTest {

    private final List<AuditFinding> shown = new ArrayList<>();

    @Test
    void counts_all_and_shows_the_first_of_each_kind() {
        FindingTally tally = new FindingTally(2, shown::add);
        for (long number = 1; number <= 3; number++) {
            tally.add(new AuditFinding.Duplicate(number, number + 1));
        }
        AuditFinding gap = new AuditFinding.Numbers(Kind.GAP, new NumberRange(1, 5, BigInteger.valueOf(5)));
        tally.add(gap);
        assertThat(shown).containsExactly(new AuditFinding.Duplicate(1, 2), new AuditFinding.Duplicate(2, 3), gap);
        assertThat(tally.count(Kind.DUPLICATE)).isEqualTo(3);
        assertThat(tally.amount(Kind.DUPLICATE)).isEqualTo(6);
        assertThat(tally.withheld(Kind.DUPLICATE)).isTrue();
        assertThat(tally.amount(Kind.GAP)).isEqualTo(5);
        assertThat(tally.withheld(Kind.GAP)).isFalse();
        assertThat(tally.count(Kind.STRAY)).isZero();
    }

    @Test
    void shows_nothing_where_that_was_asked_for() {
        FindingTally tally = new FindingTally(0, shown::add);
        tally.add(new AuditFinding.OutOfOrder(1, 2, "now"));
        assertThat(shown).isEmpty();
        assertThat(tally.withheld(Kind.OUT_OF_ORDER)).isTrue();
    }
}
