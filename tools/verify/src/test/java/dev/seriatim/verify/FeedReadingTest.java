// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.verify.FeedReading.Commit;
import dev.seriatim.verify.Violation.Kind;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each fault of a feed is found, and nothing else. */
class FeedReadingTest {

    private static final long ONE = 1L << 24;
    private static final long OTHER = 2L << 24;

    /** Two writers: rows A and B from 0 to 10, C from 20 to 30. */
    private static final List<Commit> COMMITS = List.of(new Commit(0, 10, ONE, 2), new Commit(20, 30, OTHER, 1));

    private static FeedReading compare(String read, long... stored) {
        long[] entries = Stream.of(read.split(" ", -1))
                .flatMapToLong(entry -> LongStream.of(Long.parseLong(entry.substring(1)), key(entry.charAt(0))))
                .toArray();
        return FeedReading.of("poller", entries, stored, COMMITS, true);
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
        FeedReading found = compare(read, ONE, ONE + 1, OTHER);
        assertThat(List.of(
                        found.count(Kind.LOST),
                        found.count(Kind.TWICE),
                        found.count(Kind.OUT_OF_ORDER),
                        found.count(Kind.GAP)))
                .containsExactly(lost, twice, outOfOrder, gaps);
        assertThat(found.violations()).hasSize((int) Math.min(1, lost + twice + outOfOrder + gaps));
        assertThat(found.rows()).isEqualTo(3);
    }

    @Test
    void an_acknowledged_row_that_is_gone_is_lost_and_one_without_an_answer_counts_if_it_is_stored() {
        assertThat(compare("A1 B2", ONE, ONE + 1).count(Kind.LOST)).isEqualTo(1);
        assertThat(compare("A1 B2 C3", ONE, ONE + 1, OTHER, OTHER + 1).count(Kind.LOST))
                .isEqualTo(1);
    }
}
