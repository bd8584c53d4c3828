// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The command on every engine, or on those that {@code -Dseriatim.trials.engines} lists: a few kills, or many with
 * {@code -Dseriatim.trials=soak}, whose number {@code -Dseriatim.trials.rounds} sets.
 */
@Timeout(7200)
@Tag("long")
@Order(1)
class VerifyOnEnginesTest {

    private static final TestProperties ASKED = TestProperties.ofThisJvm();
    private static final int KILLS = ASKED.isSoak() ? ASKED.count(Property.TRIALS_ROUNDS, 50) : 2;
    private static final int SERVER_KILLS = ASKED.isSoak() ? ASKED.count(Property.TRIALS_ROUNDS, 20) : 2;
    static final int NUMBERS = ASKED.isSoak() ? 25_000 : 500;

    /** Of these, this test starts servers that it may kill. */
    private static final Set<Engine> KILLED = Set.of(Engine.POSTGRESQL, Engine.MARIADB, Engine.MYSQL, Engine.H2);

    static Stream<Engine> engines() {
        return ASKED.named(Property.TRIALS_ENGINES, Engine.class).stream();
    }

    static Stream<Engine> killed() {
        return engines().filter(KILLED::contains);
    }

    /** SQLite is in {@link VerifyCommandTest}, in every build. */
    static Stream<Engine> others() {
        return engines().filter(engine -> engine != Engine.SQLITE && !KILLED.contains(engine));
    }

    @ParameterizedTest
    @MethodSource("others")
    void processes_that_follow_killed_ones_repeat_nothing_and_leave_no_gap(Engine engine) {
        VerifyRun run = passes(engine.freshDatabaseOnEachNode(), numbers(NUMBERS) + ",kills=" + KILLS, "--no-controls");
        assertThat(run.faults("process killed")).isGreaterThanOrEqualTo(KILLS);
    }

    @ParameterizedTest
    @MethodSource("killed")
    void a_server_is_killed_too_and_comes_back_and_its_own_sequences_are_found(Engine engine) {
        try (Server server = start(engine)) {
            Database database = server.freshDatabase();
            server.kill();
            boolean countsLost = engine != Engine.H2; // a link cannot tell commits in its protocol
            boolean controlled = engine == Engine.POSTGRESQL || engine == Engine.MARIADB;
            List<String> options = new ArrayList<>(List.of("--server-command", "exec " + server.shellCommand()));
            if (!controlled) {
                options.add("--no-controls"); // they draw as on the other engines, and take a minute on H2
            }
            VerifyRun run = passes(
                    List.of(database),
                    numbers(NUMBERS) + ",kills=" + KILLS + ",server-kills=" + SERVER_KILLS
                            + (countsLost ? ",lost-answers=5" : ""),
                    options.toArray(String[]::new));
            assertThat(run.objects("controls"))
                    .hasSize(controlled ? 4 : 0)
                    .allSatisfy(control ->
                            assertThat(control.get("red").getAsBoolean()).isTrue());
            assertThat(run.faults("process killed")).isGreaterThanOrEqualTo(KILLS);
            assertThat(run.faults("server killed")).isGreaterThanOrEqualTo(SERVER_KILLS);
            assertThat(run.faults("commit answers lost")).isGreaterThanOrEqualTo(countsLost ? 5 : 0);
            assertThat(run.out()).doesNotContain(database.password().isEmpty() ? "password=" : database.password());
        }
    }

    private static Server start(Engine engine) {
        return switch (engine) {
            case POSTGRESQL -> Server.postgresql(Map.of());
            case MARIADB -> Server.mariadb(Map.of());
            case MYSQL -> Server.mysql(Map.of());
            case H2 -> Server.h2();
            default -> throw new IllegalArgumentException(engine + " is not started here");
        };
    }

    static String numbers(int each) {
        return "unique=%1$d,ordered=%1$d,gapless=%1$d".formatted(each);
    }

    static VerifyRun passes(List<Database> nodes, String until, String... options) {
        // A busy machine can leave some callers without a turn for longer than the usual patience.
        List<String> all = new ArrayList<>(List.of("--until", until, "--format", "json", "--patience", "60s"));
        for (Database node : nodes.subList(1, nodes.size())) {
            all.addAll(List.of("--node", node.url()));
        }
        all.addAll(List.of("--processes", Integer.toString(Math.max(2, nodes.size()))));
        all.addAll(List.of(options));
        VerifyRun run =
                VerifyRun.on(nodes.get(0).url().replaceFirst("^jdbc:sqlite:", "sqlite:"), all.toArray(String[]::new));
        assertThat(run.code()).as(run.summary()).isZero();
        assertThat(run.json().get("end").getAsString()).isEqualTo("goals");
        assertThat(run.objects("modes"))
                .hasSizeGreaterThan(all.contains("--modes") ? 0 : 4)
                .allSatisfy(mode -> assertThat(mode.get("numbers").getAsLong()).isPositive());
        if (ASKED.isSoak()) {
            System.out.println(
                    "trial: " + nodes.get(0) + ": " + run.json().get("verdict").getAsString() + "; "
                            + run.json().get("faults"));
        }
        return run;
    }
}
