// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.verify.FeedLog.Reading;
import dev.seriatim.verify.worker.FeedProgram.Kind;
import dev.seriatim.verify.worker.FeedProgram.Report;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each fault of a feed is found, and nothing else. */
class FeedLogTest {

    private static final long ONE = 1_000L << 32;
    private static final long OTHER = 2_000L << 32;

    private final FeedLog log = new FeedLog(0);

    /** Two writers: rows A and B from 0 to 10, C from 20 to 30. */
    private Reading compare(String read, long... stored) {
        log.take(new Report(Kind.WROTE, "", List.of(ONE, 2L, 0L, 10L)));
        log.take(new Report(Kind.WROTE, "", List.of(OTHER, 1L, 20L, 30L)));
        List<Long> pairs = Stream.of(read.split(" ", -1))
                .flatMap(entry -> Stream.of(Long.valueOf(entry.substring(1)), key(entry.charAt(0))))
                .toList();
        log.take(new Report(Kind.SAW, "", pairs));
        return log.compare("poller", log.seen(), stored.length == 0 ? new long[] {ONE, ONE + 1, OTHER} : stored, true);
    }

    private static long key(char row) {
        return row == 'C' ? OTHER : ONE + row - 'A';
    }

    @ParameterizedTest
    @CsvSource({
        "A1 B2 C3, 0, 0, 0, 0",
        "B1 A2 C3, 0, 0, 0, 0",
        "A1 C2, 1, 0, 0, 0",
        "A1 B2 C3 C4, 0, 1, 0, 0",
        "A1 B2 B2 C3, 0, 1, 0, 0",
        "A1 C2 B3, 0, 0, 1, 0",
        "C1 A2 B3, 0, 0, 1, 0",
        "A1 B2 C5, 0, 0, 0, 2",
        "A1 B2 C3 Z4, 0, 0, 0, 1",
    })
    void each_fault_is_counted(String read, long lost, long twice, long outOfOrder, long gaps) {
        Reading found = compare(read);
        assertThat(List.of(found.lost(), found.twice(), found.outOfOrder(), found.gaps()))
                .containsExactly(lost, twice, outOfOrder, gaps);
        assertThat(found.violations()).hasSize((int) Math.min(1, lost + twice + outOfOrder + gaps));
        assertThat(found.rows()).isEqualTo(3);
    }

    @Test
    void an_acknowledged_row_that_is_gone_is_lost_and_one_without_an_answer_counts_if_it_is_stored() {
        assertThat(compare("A1 B2", ONE, ONE + 1).lost()).isEqualTo(1);
        assertThat(compare("A1 B2 C3", ONE, ONE + 1, OTHER, OTHER + 1).lost()).isEqualTo(1);
    }

    @Test
    void a_gap_and_a_failure_of_its_own_are_found_at_once() {
        compare("A1 B2 C3");
        assertThat(log.isBroken()).isFalse();
        log.take(new Report(Kind.FAILED, "down", List.of()));
        assertThat(log.isBroken()).isFalse();
        log.take(new Report(Kind.SAW, "", List.of(5L, 7L)));
        assertThat(log.isBroken()).isTrue();
        FeedLog other = new FeedLog(0);
        other.take(new Report(Kind.LASTING, "Regressed", List.of()));
        assertThat(other.isBroken()).isTrue();
    }
}
