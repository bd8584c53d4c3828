// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.StoreDriver;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that is opened while its connection breaks, at each step of that. */
@Timeout(60)
class LostOpeningTest {

    private static final int FEWEST_STEPS = 3;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void whichever_answer_is_lost_the_store_is_away_and_its_url_is_not_blamed(Engine engine) {
        LinkedUrl server = LinkedUrl.parse(engine.freshDatabase().url());
        try (TcpLink link = server.open()) {
            String url = server.through(link.port());
            int steps = 0;
            boolean lost = true;
            while (lost) {
                AnswerLoss loss = link.loseAnswers(1, steps + 1);
                try {
                    StoreDriver.open(url).close();
                } catch (SequenceException e) {
                    assertThat(e).as("answer " + (steps + 1)).isInstanceOf(Unavailable.class);
                }
                lost = loss.lost() == 1;
                link.restore();
                steps++;
            }
            assertThat(steps).isGreaterThan(FEWEST_STEPS);
        }
    }
}
