// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.auditing.AuditFinding.Kind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AuditLimitTest {

    private final List<AuditFinding> shown = new ArrayList<>();

    private Audit audit(long limit) {
        return new Audit(new Dealt(1, 1, 10, false), limit, new Findings(shown::add), new AtomicLong());
    }

    @Test
    void counts_all_and_shows_the_first_of_each_kind() {
        Audit audit = audit(2);
        for (long number : new long[] {1, 1, 2, 2, 2, 3, 3, 3, 3, 9}) {
            audit.number(number);
        }
        audit.end();
        AuditFinding gap = AuditFinding.numbers(Kind.GAP, new NumberRange(4, 8, BigInteger.valueOf(5)));
        assertThat(shown).containsExactly(AuditFinding.duplicate(1, 2), AuditFinding.duplicate(2, 3), gap);
        assertThat(audit.count(Kind.DUPLICATE)).isEqualTo(3);
        assertThat(audit.amount(Kind.DUPLICATE)).isEqualTo(6);
        assertThat(audit.withheld(Kind.DUPLICATE)).isTrue();
        assertThat(audit.amount(Kind.GAP)).isEqualTo(5);
        assertThat(audit.withheld(Kind.GAP)).isFalse();
        assertThat(audit.count(Kind.STRAY)).isZero();
    }

    @Test
    void shows_nothing_where_that_was_asked_for() {
        Audit audit = audit(0);
        audit.inTime(2, () -> "now");
        audit.inTime(1, () -> "now");
        assertThat(shown).isEmpty();
        assertThat(audit.withheld(Kind.OUT_OF_ORDER)).isTrue();
    }
}
