// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void labels_that_have_room_stay_where_they_are() {
        assertThat(spread(0, 100, 80, 20, 50)).containsExactly(80.0, 20.0, 50.0);
    }

    @Test
    void labels_that_collide_move_apart_by_the_same_way() {
        assertThat(spread(0, 100, 50, 50)).containsExactly(45.0, 55.0);
        assertThat(spread(0, 100, 52, 48, 90)).containsExactly(55.0, 45.0, 90.0);
    }

    @Test
    void labels_at_an_edge_move_inwards() {
        assertThat(spread(0, 100, 1, 2, 99)).containsExactly(5.0, 15.0, 95.0);
    }

    @Test
    void a_pile_that_grows_into_another_joins_it() {
        assertThat(spread(0, 100, 40, 40, 52)).containsExactly(34.0, 44.0, 54.0);
    }

    @Test
    void any_labels_are_apart_and_inside_and_in_their_order() {
        Random random = new Random(5);
        for (int i = 0; i < 2000; i++) {
            List<Spread.Wish> wishes = new ArrayList<>();
            for (int j = 0; j < 12; j++) {
                wishes.add(new Spread.Wish(random.nextDouble() * 300 - 20, 10 + random.nextInt(3) * 5));
            }
            assertApart(wishes, Spread.apart(wishes, 0, 260));
        }
    }

    private static void assertApart(List<Spread.Wish> wishes, List<Double> middles) {
        for (int a = 0; a < wishes.size(); a++) {
            double half = wishes.get(a).height() / 2;
            assertThat(middles.get(a)).isBetween(half - 1e-6, 260 - half + 1e-6);
            for (int b = 0; b < wishes.size(); b++) {
                if (wishes.get(a).middle() < wishes.get(b).middle()) {
                    assertThat(middles.get(b) - middles.get(a))
                            .isGreaterThanOrEqualTo(half + wishes.get(b).height() / 2 - 1e-6);
                }
            }
        }
    }

    private static List<Double> spread(double top, double bottom, double... middles) {
        List<Spread.Wish> wishes = new ArrayList<>();
        for (double middle : middles) {
            wishes.add(new Spread.Wish(middle, 10));
        }
        return Spread.apart(wishes, top, bottom);
    }
}
