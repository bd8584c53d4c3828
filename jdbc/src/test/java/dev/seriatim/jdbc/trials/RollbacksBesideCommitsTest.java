// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.seriatim.jdbc.trials.RollbacksBesideCommits.Way;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.H2Files;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that are rolled back while others commit. */
@Timeout(value = 8, unit = TimeUnit.HOURS)
class RollbacksBesideCommitsTest {

    private static final int CONTROL_ROUNDS = 200;
    private static final int ROUNDS_IN_A_FILE = 100;
    private static final String COUNTER = "SELECT \"next_value\" FROM \"seriatim_sequence\" WHERE \"name\" = 's'";

    private static final String LOSES = "DELETE FROM seriatim_sequence_pool WHERE place ="
            + " (SELECT MIN(place) FROM seriatim_sequence_pool WHERE place > 0)";
    private static final String REPEATS = "INSERT INTO seriatim_sequence_pool"
            + " SELECT name, MIN(place) - 1, MIN(value) - 1 FROM seriatim_sequence_pool WHERE place > 0 GROUP BY name";

    @FunctionalInterface
    private interface Opening {
        RollbacksBesideCommits on(Database file) throws SQLException;
    }

    static Stream<Arguments> everywhere() {
        return Scale.engines().flatMap(engine -> Stream.of(Way.values()).map(way -> Arguments.of(engine, way)));
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void take_nothing_back_that_others_have_committed(Engine engine, Way way) throws Exception {
        Database database = engine.freshDatabase();
        int rounds = Scale.chosen().rounds();
        try (RollbacksBesideCommits trial = RollbacksBesideCommits.on(database, way)) {
            assertThat(trial.findings(rounds)).isEmpty();
        }
        Scale.chosen().tell(rounds + " rounds of rollbacks beside commits in " + way + " on " + database);
    }

    /** Where numbers are dealt only in the store's own transactions. */
    @Test
    void take_nothing_back_in_a_file_of_h2s_that_other_transactions_than_theirs_have_drawn() throws Exception {
        Scale.assume(Engine.H2);
        int rounds = Scale.chosen().rounds();
        assertThat(findingsInFiles(rounds, file -> RollbacksBesideCommits.onFile(file, Way.ASYNC)))
                .isEmpty();
        Scale.chosen().tell(rounds + " rounds of rollbacks beside commits in ASYNC on files of H2's");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POOLED")
    void the_trial_finds_one_that_takes_back_more_than_its_own(Way way) throws Exception {
        Database database = Engine.H2.freshDatabase();
        AtomicBoolean done = new AtomicBoolean();
        try (RollbacksBesideCommits trial = RollbacksBesideCommits.on(database, way)) {
            CompletableFuture<Void> undoing = CompletableFuture.runAsync(() -> undoLate(database, done));
            assertThat(trial.findings(CONTROL_ROUNDS)).isNotEmpty();
            done.set(true);
            undoing.get(1, TimeUnit.MINUTES);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LOSES, REPEATS})
    void the_trial_finds_a_pool_that_loses_or_repeats_a_number(String fault) throws Exception {
        Scale.assume(Engine.POSTGRESQL);
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (RollbacksBesideCommits trial = RollbacksBesideCommits.on(database, Way.POOLED)) {
            assertThat(trial.findings(1)).isEmpty();
            database.execute(fault);
            assertThat(trial.findings(1)).singleElement(as(STRING)).contains("numbers acknowledged or laid out");
        }
    }

    /** When this fails, H2 has fixed the fault and need not be refused any more. */
    @Test
    void the_trial_finds_what_they_take_back_in_a_file_of_h2s() throws Exception {
        Scale.assumeSoak("it takes many rounds");
        Scale.assume(Engine.H2);
        int rounds = Scale.chosen().rounds();
        assertThat(findingsInFiles(rounds, file -> RollbacksBesideCommits.onWeakFile(file, Way.SYNC)))
                .isNotEmpty();
    }

    /** Uses a new file every few rounds, because each commit makes a file grow and slows it down. */
    private static List<String> findingsInFiles(int rounds, Opening opening) throws SQLException {
        List<String> findings = List.of();
        for (int left = rounds; left > 0 && findings.isEmpty(); left -= ROUNDS_IN_A_FILE) {
            try (RollbacksBesideCommits trial = opening.on(H2Files.freshDatabase())) {
                findings = trial.findings(Math.min(left, ROUNDS_IN_A_FILE));
            }
        }
        return findings;
    }

    /** Sets the counter back to its value before others committed. */
    private static void undoLate(Database database, AtomicBoolean done) {
        try {
            long before = database.number(COUNTER);
            while (!done.get()) {
                long now = database.number(COUNTER);
                if (now > before) {
                    database.execute(
                            "UPDATE \"seriatim_sequence\" SET \"next_value\" = " + before + " WHERE \"name\" = 's'");
                }
                before = now;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
