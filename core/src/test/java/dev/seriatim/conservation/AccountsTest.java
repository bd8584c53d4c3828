// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.conservation.Changes.Change;
import dev.seriatim.conservation.Changes.Outcome;
import dev.seriatim.conservation.TableAccount.Attempt;
import dev.seriatim.conservation.TableAccount.Told;
import dev.seriatim.store.SequenceState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checks of the rounds are given faults. */
class AccountsTest {

    private static final SequenceState FIRST = SequenceState.fresh(SequenceDefinition.of("s"), 0);

    private final TableAccount account = new TableAccount();

    @Test
    void the_ledger_sees_a_value_that_goes_missing_or_is_dealt_twice() {
        Ledger ledger = new Ledger();
        ledger.reserved("s", new Block(1, 3, 1));
        ledger.dealt("s", new Block(1, 1, 1));
        ledger.lost("s", new Block(2, 1, 1));
        assertThat(ledger.fault()).contains("3 of 's' is missing");
        ledger.dealt("s", new Block(3, 1, 1));
        assertThat(ledger.fault()).isEmpty();
        ledger.dealt("s", new Block(2, 1, 1));
        assertThat(ledger.fault()).contains("2 of 's' is accounted for twice");
    }

    @Test
    void the_account_sees_what_is_there_and_was_told_not_to_be() {
        StoredRow row = attempt(Told.NOT_COMMITTED, 7);
        assertThat(account.fault(List.of())).isEmpty();
        assertThat(account.fault(List.of(row))).contains("was told NOT_COMMITTED");
    }

    @Test
    void the_account_sees_what_was_acknowledged_and_is_not_there() {
        StoredRow row = attempt(Told.COMMITTED, 7);
        assertThat(account.fault(List.of(row))).isEmpty();
        assertThat(account.fault(List.of())).contains("was told COMMITTED");
    }

    @Test
    void the_account_sees_a_half_of_what_nobody_knows_of() {
        Attempt attempt = account.begin();
        attempt.run();
        List<StoredRow> rows = List.of(attempt.row(7), attempt.row(8));
        attempt.told(Told.UNKNOWN);
        assertThat(account.fault(List.of())).isEmpty();
        assertThat(account.fault(rows)).isEmpty();
        assertThat(account.fault(rows.subList(0, 1))).contains("was told UNKNOWN");
    }

    @Test
    void the_account_sees_rows_of_a_run_that_was_repeated() {
        Attempt attempt = account.begin();
        attempt.run();
        StoredRow first = attempt.row(7);
        attempt.run();
        StoredRow second = attempt.row(8);
        attempt.told(Told.COMMITTED);
        assertThat(account.fault(List.of(second))).isEmpty();
        assertThat(account.fault(List.of(first, second))).contains("was told COMMITTED");
        assertThat(account.fault(List.of(first))).contains("was told COMMITTED");
    }

    @Test
    void the_account_sees_rows_that_nobody_kept() {
        assertThat(account.fault(List.of(new StoredRow(9, 1, 7)))).contains("rows that no attempt stored");
    }

    @Test
    void the_course_sees_gaps_repetitions_and_disorder() {
        assertThat(course(List.of(1L, 2L, 3L), 4)).isEmpty();
        assertThat(course(List.of(1L, 3L), 4)).contains("number 2 cannot be 3");
        assertThat(course(List.of(1L, 1L), 2)).contains("number 2 cannot be 1");
        assertThat(course(List.of(2L, 1L), 3)).contains("number 1 cannot be 2");
    }

    @Test
    void the_course_sees_numbers_missing_at_the_end() {
        assertThat(course(List.of(1L, 2L), 4)).contains("the counter cannot be");
    }

    @Test
    void the_course_allows_a_gap_only_where_an_administrator_made_one() {
        Change raise = new Change("raise to 10", state -> state.raisedTo(10), Outcome.DONE);
        assertThat(Course.fault(FIRST, List.of(raise), List.of(1L, 2L, 10L), at(11)))
                .isEmpty();
        assertThat(Course.fault(FIRST, List.of(raise), List.of(1L, 2L, 9L), at(10)))
                .contains("number 3 cannot be 9");
        assertThat(Course.fault(FIRST, List.of(raise), List.of(1L, 2L), at(3))).contains("the counter cannot be");
    }

    private StoredRow attempt(Told told, long number) {
        Attempt attempt = account.begin();
        attempt.run();
        StoredRow row = attempt.row(number);
        attempt.told(told);
        return row;
    }

    private static String course(List<Long> numbers, long next) {
        return Course.fault(FIRST, List.of(), numbers, at(next));
    }

    private static SequenceState at(long next) {
        return new SequenceState(FIRST.definition(), next, false, 0);
    }
}
