// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.rowpool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.sql.PoolClaim.Places;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where claims begin and end, given what looks at a pool have shown. */
class PoolViewTest {

    private static final int REST = 3;

    private final PoolView view = new PoolView(REST);

    @AfterEach
    void others_can_look_too() throws InterruptedException {
        Thread other = new Thread(view::floor);
        other.setDaemon(true);
        other.start();
        other.join(10_000);
        assertThat(other.isAlive()).as("waits for the lock").isFalse();
    }

    private void sees(long head, long laidOut, Long... lowest) {
        view.saw(look(view.beginLook(), head, laidOut, lowest), false);
    }

    private static PoolView.Look look(long order, long head, long laidOut, Long... lowest) {
        return new PoolView.Look(order, head, laidOut, List.of(lowest), OptionalLong.empty());
    }

    private PoolView.Look lagging(long place, Long... lowest) {
        return new PoolView.Look(view.beginLook(), 20, 10, List.of(lowest), OptionalLong.of(place));
    }

    private static Long[] places(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toArray(Long[]::new);
    }

    @Test
    void knows_nothing_before_the_first_look() {
        assertThat(view.isEmpty()).isTrue();
        assertThat(view.isNews(0)).isTrue();
        assertThat(view.next()).isNull();
        assertThat(view.all()).isNull();
        assertThat(view.floor()).isEqualTo(1);
        assertThat(view.from()).isEqualTo(1);
        assertThat(view.ended()).isFalse();
        view.sawEnd(view.beginLook());
        assertThat(view.isEmpty()).isTrue();
        assertThat(view.ended()).isFalse();
    }

    @Test
    void begins_at_the_lowest_number_and_spares_the_last_ones() {
        sees(20, 10, 12L, 15L);
        assertThat(view.isEmpty()).isFalse();
        assertThat(view.next()).isEqualTo(new Places(12, 27));
        assertThat(view.all()).isEqualTo(new Places(12, 27));
        assertThat(view.from()).isEqualTo(12);
        assertThat(view.floor()).isEqualTo(12);
        assertThat(view.ended()).isFalse();
    }

    @Test
    void begins_behind_the_head_where_nothing_is_left() {
        sees(20, 10);
        assertThat(view.next()).isEqualTo(new Places(21, 27));
        assertThat(view.floor()).isEqualTo(21);
    }

    @Test
    void has_news_when_others_have_laid_out_since() {
        sees(20, 10, 12L);
        assertThat(view.isNews(30)).isFalse();
        assertThat(view.isNews(31)).isTrue();
        assertThat(view.isNews(20)).isTrue();
    }

    @Test
    void spares_nothing_when_there_is_no_more_to_lay_out() {
        view.saw(look(view.beginLook(), 20, 10, 12L), true);
        assertThat(view.all()).isEqualTo(new Places(12, 30));
        assertThat(view.ended()).isTrue();
        sees(30, 10, 25L);
        assertThat(view.ended()).isFalse();
        view.sawEnd(view.beginLook());
        assertThat(view.all()).isEqualTo(new Places(25, 40));
        assertThat(view.ended()).isTrue();
    }

    @Test
    void begins_behind_a_row_that_is_held_while_thousands_behind_it_are_claimed() {
        view.claimed(5000);
        view.claimed(10); // does not go back
        sees(6000, 0, 904L, 905L);
        assertThat(view.from()).as("4096 away").isEqualTo(904);
        sees(6000, 0, 903L, 905L);
        assertThat(view.from()).as("4097 away").isEqualTo(905);
        assertThat(view.floor()).isEqualTo(903);
        assertThat(view.all()).isEqualTo(new Places(903, 5997));
    }

    @Test
    void begins_behind_the_head_where_all_that_is_left_is_held_and_far_away() {
        view.claimed(6000);
        sees(6000, 10, 1L, 2L);
        assertThat(view.from()).isEqualTo(6001);
        assertThat(view.floor()).isEqualTo(1);
    }

    @Test
    void begins_at_the_last_row_it_has_looked_at_where_more_may_be_behind_it() {
        view.claimed(6000);
        sees(6000, 10, places(1, PoolView.LOOK));
        assertThat(view.from()).isEqualTo(PoolView.LOOK);
        sees(6000, 10, places(1, PoolView.LOOK - 1));
        assertThat(view.from()).isEqualTo(6001);
    }

    @Test
    void keeps_its_floor_at_a_row_that_lags_behind() {
        view.saw(lagging(4, 15L), false);
        assertThat(view.floor()).isEqualTo(4);
        assertThat(view.from()).isEqualTo(15);
        assertThat(view.all()).isEqualTo(new Places(4, 27));
        assertThat(view.next())
                .as("within a second of the last look at everything")
                .isEqualTo(new Places(15, 27));
    }

    @Test
    void looks_at_everything_once_a_second() throws InterruptedException {
        view.saw(lagging(4, 15L), false);
        Thread.sleep(1010);
        assertThat(view.next()).isEqualTo(new Places(4, 27));
        assertThat(view.next()).isEqualTo(new Places(15, 27));
    }

    @Test
    void keeps_what_a_look_has_shown_when_an_earlier_one_reports_after_it() {
        long early = view.beginLook();
        long late = view.beginLook();
        view.saw(look(late, 30, 10, 25L), false);
        view.saw(look(early, 20, 10, 12L), true);
        assertThat(view.all()).isEqualTo(new Places(25, 37));
        assertThat(view.floor()).isEqualTo(25);
        assertThat(view.isNews(40)).isFalse();
        assertThat(view.ended()).isFalse();
    }

    @Test
    void follows_a_pool_made_anew_whose_places_are_lower() {
        long ofTheOldPool = view.beginLook();
        sees(20, 10, 21L);
        view.saw(look(ofTheOldPool, 1000, 10, 900L), false);
        assertThat(view.all()).isEqualTo(new Places(21, 27));
        sees(2, 5, 3L);
        assertThat(view.all()).isEqualTo(new Places(3, 4));
    }

    @Test
    void a_pool_whose_last_place_is_lower_than_before_was_made_anew() {
        assertThat(view.isMadeAnew(0)).as("not known yet").isFalse();
        sees(20, 10, 12L);
        assertThat(view.isMadeAnew(31)).isFalse();
        assertThat(view.isMadeAnew(30)).isFalse();
        assertThat(view.isMadeAnew(29)).isTrue();
        view.forget(view.beginLook());
        assertThat(view.isMadeAnew(29)).as("not known any more").isFalse();
    }

    @Test
    void what_is_forgotten_is_learnt_from_the_look_that_saw_the_new_pool_and_from_no_earlier_one() {
        sees(20, 10, 12L);
        view.claimed(6000);
        long ofTheOldPool = view.beginLook();
        long ofTheNewPool = view.beginLook();
        view.forget(ofTheNewPool);
        assertThat(view.isEmpty()).isTrue();
        assertThat(view.next()).isNull();
        assertThat(view.floor()).isEqualTo(1);
        view.saw(look(ofTheOldPool, 30, 10, 12L), false);
        assertThat(view.isEmpty()).isTrue();
        view.saw(look(ofTheNewPool, 10, 5, 2L), false);
        assertThat(view.all()).isEqualTo(new Places(2, 12));
        assertThat(view.from()).as("nothing was claimed in the new pool").isEqualTo(2);
    }

    @Test
    void spares_the_last_ones_when_a_look_that_found_no_more_reports_after_one_that_did() {
        long early = view.beginLook();
        sees(20, 10, 12L);
        view.sawEnd(early);
        assertThat(view.ended()).isFalse();
        assertThat(view.all()).isEqualTo(new Places(12, 27));
    }

    @Test
    void learns_places_from_a_look_that_reports_after_one_that_found_no_more_to_lay_out() {
        long early = view.beginLook();
        view.sawEnd(view.beginLook());
        view.saw(look(early, 20, 10, 12L), false);
        assertThat(view.all()).isEqualTo(new Places(12, 30));
        assertThat(view.ended()).isTrue();
    }
}
