// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.conservation.ConservationMode;
import dev.seriatim.conservation.ConservationRounds;
import dev.seriatim.servers.Engine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No number is lost or accounted for twice, on real databases whose connections break at random. Like {@code
 * ConservationTest} in the core, with the same properties; {@code -Dseriatim.trials.engines} selects the engines.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class ConservationOnEnginesTest {

    /** The engines unless others are named. */
    private static final Set<Engine> ENGINES = EnumSet.of(Engine.SQLITE, Engine.H2, Engine.POSTGRESQL);

    /** Share of the time for all rounds; the rest is for stores in memory. */
    private static final double SHARE = 1.0 / 3;

    private static final String COMMAND = "./mvnw -pl jdbc -am test -Dsurefire.failIfNoSpecifiedTests=false"
            + " -Dtest=ConservationOnEnginesTest -Dseriatim.trials.engines=";

    static Stream<Arguments> everywhere() {
        return Scale.engines()
                .filter(engine -> ENGINES.contains(engine) || Scale.named())
                .flatMap(engine -> ConservationRounds.modes()
                        .filter(mode -> mode != ConservationMode.POOLED || pools(engine))
                        .map(mode -> Arguments.of(engine, mode)));
    }

    private static boolean pools(Engine engine) {
        return engine != Engine.SQLITE && engine != Engine.H2;
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void every_number_is_accounted_for(Engine engine, ConservationMode mode) throws Exception {
        double share = SHARE / everywhere().count();
        List<EngineGround> lanes = new ArrayList<>();
        try {
            for (int lane = 0; lane < ConservationRounds.LANES; lane++) {
                lanes.add(EngineGround.on(engine));
            }
            assertThat(ConservationRounds.faults(
                            mode,
                            engine.title(),
                            share,
                            COMMAND + engine,
                            (lane, chance) -> lanes.get(lane).next(chance)))
                    .isEmpty();
        } finally {
            for (EngineGround lane : lanes) {
                lane.close();
            }
        }
    }
}
