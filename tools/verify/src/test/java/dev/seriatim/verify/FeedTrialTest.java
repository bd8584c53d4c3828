// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.verify.worker.FeedRole;
import dev.seriatim.verify.worker.LaneOrder;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The trial of feeds: with a few kills, or with {@code -Dseriatim.trials=soak} a million rows, 1,000 kills of processes and 50 of
 * the server.
 */
@Timeout(10_800)
class FeedTrialTest {

    private static final TestProperties ASKED = TestProperties.ofThisJvm();
    private static final String SOAK = "rows=1000000,kills=1000";
    private static final Set<Engine> KILLED = Set.of(Engine.POSTGRESQL, Engine.MARIADB, Engine.MYSQL);

    @TempDir
    private Path folder;

    static Stream<Engine> killed() {
        return ASKED.named(Property.TRIALS_ENGINES, Engine.class).stream().filter(KILLED::contains);
    }

    @Test
    void a_file_keeps_every_row_while_processes_are_killed_and_nothing_is_left() {
        passes("sqlite:" + folder.resolve("rows.db"), ASKED.isSoak() ? SOAK : "rows=200,kills=2", "UNLOCKED");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @Tag("long")
    void a_server_keeps_every_row_while_processes_are_killed_and_both_controls_are_found() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        VerifyRun run = passes(database.url(), "rows=500,kills=2", "IDENTITY", "UNLOCKED");
        assertThat(run.out()).doesNotContain("password=");
        assertThat(database.number("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE n.nspname = 'public'"))
                .isZero();
        assertThat(database.number("SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace"))
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("killed")
    @Tag("long")
    void a_killed_server_takes_no_row_and_no_order_with_it(Engine engine) {
        try (Server server = start(engine)) {
            Database database = server.freshDatabase();
            server.kill();
            VerifyRun run = passes(
                    database.url(),
                    ASKED.isSoak() ? SOAK + ",server-kills=50" : "rows=5000,kills=4,server-kills=2",
                    List.of("--server-command", "exec " + server.shellCommand(), "--threads", "4"),
                    "IDENTITY",
                    "UNLOCKED");
            assertThat(run.faults("server killed")).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void a_poller_whose_predecessor_stores_late_stores_nothing_twice() throws Exception {
        String url = "sqlite:" + folder.resolve("polled.db");
        try (JdbcStore store = (JdbcStore) StoreDriver.open(url)) {
            store.create(SequenceDefinition.of("any"));
            store.<Boolean, SQLException>inTransaction(connection -> {
                for (String sql : List.of(
                        "CREATE TABLE ledger (position BIGINT NOT NULL PRIMARY KEY, id BIGINT NOT NULL)",
                        "CREATE TABLE polled_seen (" + FeedTrial.POLLED + ")")) {
                    connection.createStatement().execute(sql);
                }
                return true;
            });
            LaneOrder order = new LaneOrder("POLLER", "polled", "ledger", 1, 0, 1, 1, LaneOrder.Shares.NONE);
            FeedRole.Work late = FeedRole.POLLER.work(store, order);
            assertThat(late.run()).isZero();
            store.<Boolean, SQLException>inTransaction(
                    connection -> connection.createStatement().execute("INSERT INTO ledger VALUES (1, 10), (2, 20)"));
            assertThat(FeedRole.POLLER.work(store, order).run()).isEqualTo(2);
            assertThatThrownBy(late::run).isInstanceOf(SQLException.class);
            assertThat(late.run()).isZero();
        }
    }

    private static Server start(Engine engine) {
        return switch (engine) {
            case POSTGRESQL -> Server.postgresql(Map.of());
            case MARIADB -> Server.mariadb(Map.of());
            default -> Server.mysql(Map.of());
        };
    }

    private static VerifyRun passes(String url, String until, String... controls) {
        return passes(url, until, List.of(), controls);
    }

    private static VerifyRun passes(String url, String until, List<String> more, String... controls) {
        List<String> options =
                new ArrayList<>(List.of("--feeds", "--until", until, "--format", "json", "--patience", "60s"));
        options.addAll(more);
        VerifyRun run = VerifyRun.on(url, options.toArray(String[]::new));
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(run.json().get("end").getAsString()).isEqualTo("goals");
        assertThat(run.objects("readers")).hasSize(2).allSatisfy(reader -> {
            for (String fault : List.of("lost", "twice", "out_of_order", "gaps")) {
                assertThat(number(reader, fault)).isZero();
            }
            assertThat(number(reader, "entries")).isPositive().isEqualTo(number(reader, "rows"));
        });
        assertThat(run.objects("controls"))
                .allSatisfy(
                        control -> assertThat(control.get("red").getAsBoolean()).isTrue())
                .extracting(control -> control.get("name").getAsString())
                .containsExactly(controls);
        if (ASKED.isSoak()) {
            System.out.println("trial: " + run.json().get("store") + ": "
                    + run.json().get("verdict").getAsString() + "; "
                    + run.json().get("faults"));
        }
        return run;
    }

    private static long number(JsonObject reader, String key) {
        return reader.get(key).getAsLong();
    }
}
