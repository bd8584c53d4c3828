// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same seed gives the same faults, and none is left out. */
class InjectorTest {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(3);

    private static InjectedFault recorded(String name, int used, List<String> log) {
        return new InjectedFault(name, dice -> {
            log.add(name);
            for (int i = 0; i < used; i++) {
                log.add(Long.toString(dice.nextLong()));
            }
        });
    }

    private static List<InjectedFault> faults(List<String> log, int used) {
        List<InjectedFault> faults = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            faults.add(recorded(kind.toString(), used, log));
        }
        return faults;
    }

    private static List<String> injected(long seed, int used) throws InterruptedException {
        List<String> log = new ArrayList<>();
        Injector injector = new Injector("test", seed, faults(log, used), SHORTEST, LONGEST, () -> false);
        for (int i = 0; i < 40; i++) {
            Injector.Turn turn = injector.next();
            assertThat(turn.pause()).isBetween(SHORTEST, LONGEST);
            log.add(turn.pause().toString());
            turn.fault().injection().inject(turn.dice());
        }
        return log;
    }

    @Test
    void the_same_seed_gives_the_same_faults_pauses_and_chances() throws Exception {
        assertThat(injected(1, 3)).isEqualTo(injected(1, 3)).isNotEqualTo(injected(2, 3));
    }

    @Test
    void what_a_fault_uses_of_chance_does_not_change_what_comes_next() throws Exception {
        List<String> more = injected(1, 3);
        more.removeIf(line -> line.matches("-?\\d+"));
        assertThat(more).isEqualTo(injected(1, 0));
    }

    @Test
    void each_round_has_every_fault_once() throws Exception {
        List<String> log = injected(5, 0);
        log.removeIf(line -> line.startsWith("PT"));
        for (int round = 0; round < 40; round += 4) {
            assertThat(log.subList(round, round + 4)).containsExactlyInAnyOrder("kill", "stop", "link", "server");
        }
        assertThat(log.subList(0, 4)).isNotEqualTo(log.subList(4, 8));
    }
}
