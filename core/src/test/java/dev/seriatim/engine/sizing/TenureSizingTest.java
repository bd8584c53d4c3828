// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TenureSizingTest {

    private static final long READ = 1_000;
    private static final long RESERVATION = 10_000;

    private final TenureSizing sizing = new TenureSizing(100);

    @Test
    void the_first_reservation_takes_what_callers_wait_for() {
        assertThat(sizing.size(3, 0)).isEqualTo(3);
    }

    @Test
    void nothing_is_reserved_ahead_before_a_reservation_has_followed_another() {
        sizing.reserved(RESERVATION);
        assertThat(sizing.size(3, 0)).isEqualTo(3);
    }

    @Test
    void what_is_reserved_ahead_doubles_while_reservations_follow_one_another() {
        sizing.followed(3);
        assertThat(sizing.size(3, 0)).isEqualTo(3 + 3);
        sizing.followed(3);
        assertThat(sizing.size(3, 0)).isEqualTo(3 + 6);
        sizing.followed(3);
        assertThat(sizing.size(3, 0)).isEqualTo(3 + 12);
    }

    @Test
    void it_starts_from_the_last_reservation_if_that_was_larger() {
        sizing.followed(40);
        assertThat(sizing.size(1, 0)).isEqualTo(41);
    }

    @Test
    void no_more_is_reserved_ahead_than_the_bound() {
        sizing.followed(90);
        sizing.followed(90);
        assertThat(sizing.size(7, 0)).isEqualTo(107);
        sizing.followed(90);
        assertThat(sizing.size(7, 0)).isEqualTo(107);
    }

    @Test
    void values_in_hand_count_as_reserved_ahead() {
        sizing.followed(20);
        assertThat(sizing.size(5, 15)).isEqualTo(5 + 5);
        assertThat(sizing.size(5, 20)).isEqualTo(5);
        assertThat(sizing.size(5, 21)).isEqualTo(5);
    }

    @Test
    void a_size_beyond_64_bits_is_that_of_the_callers() {
        TenureSizing boundless = new TenureSizing(Long.MAX_VALUE);
        boundless.followed(Long.MAX_VALUE / 2);
        assertThat(boundless.size(Long.MAX_VALUE - 1, 0)).isEqualTo(Long.MAX_VALUE - 1);
    }

    @Test
    void nothing_is_reserved_ahead_once_another_session_has_reserved() {
        sizing.followed(20);
        sizing.interrupted();
        assertThat(sizing.size(5, 0)).isEqualTo(5);
    }

    @Test
    void reservations_that_were_interrupted_before_values_were_in_hand_do_not_make_the_next_attempt_harder() {
        for (int i = 0; i < 10; i++) {
            sizing.interrupted();
        }
        sizing.followed(5);
        assertThat(sizing.size(5, 0)).isEqualTo(10);
    }

    @Test
    void each_attempt_that_saved_nothing_doubles_the_reservations_before_the_next() {
        lose();
        assertThat(followedUntilAhead()).isEqualTo(2);
        lose();
        assertThat(followedUntilAhead()).isEqualTo(4);
    }

    @Test
    void it_tries_again_after_at_most_64_reservations() {
        for (int i = 0; i < 20; i++) {
            lose();
        }
        assertThat(followedUntilAhead()).isEqualTo(64);
    }

    @Test
    void an_attempt_that_saved_time_halves_the_reservations_before_the_next() {
        lose();
        lose();
        lose();
        confirm(1);
        lose();
        assertThat(followedUntilAhead()).isEqualTo(4);
        confirm(1);
        lose();
        confirm(1);
        lose();
        confirm(1);
        lose();
        assertThat(followedUntilAhead()).isEqualTo(1);
    }

    @Test
    void reads_that_take_nearly_as_long_as_a_reservation_must_succeed_often_to_pay() {
        // Each saves 100 of 1000: ten of them pay for the read that failed, and not more.
        costs(1_000, 1_100);
        confirm(10, 1_000);
        sizing.read(1_000);
        sizing.interrupted();
        sizing.lost();
        assertThat(followedUntilAhead()).isEqualTo(2);
        confirm(11, 1_000);
        sizing.read(1_000);
        sizing.interrupted();
        sizing.lost();
        assertThat(followedUntilAhead()).isEqualTo(1);
    }

    @Test
    void a_slow_read_counts_for_a_fifth_and_the_first_in_full() {
        assertThat(attempts(12)).isEqualTo(2); // 12 × (1300 - 1200) do not exceed 1200
        assertThat(attempts(13)).isEqualTo(1);
        costs(2_000, 1_300);
        confirm(100, 2_000);
        sizing.lost();
        assertThat(followedUntilAhead()).isEqualTo(2);
    }

    private static int attempts(int confirmations) {
        TenureSizingTest fresh = new TenureSizingTest();
        fresh.costs(1_000, 1_300);
        fresh.confirm(1, 2_000); // 1000 becomes 1200
        fresh.confirm(confirmations - 1, 1_200);
        fresh.sizing.lost();
        return fresh.followedUntilAhead();
    }

    private void costs(long read, long reservation) {
        sizing.read(read);
        sizing.reserved(reservation);
    }

    private void confirm(int times) {
        costs(READ, RESERVATION);
        confirm(times, READ);
    }

    private void confirm(int times, long read) {
        for (int i = 0; i < times; i++) {
            sizing.confirmed(read);
        }
    }

    private void lose() {
        costs(READ, RESERVATION);
        sizing.interrupted();
        sizing.lost();
    }

    /** How many reservations follow one another before values are reserved ahead. */
    private int followedUntilAhead() {
        sizing.interrupted();
        for (int followed = 1; followed <= 1000; followed++) {
            sizing.followed(1);
            if (sizing.size(1, 0) > 1) {
                return followed;
            }
        }
        return Integer.MAX_VALUE;
    }
}
