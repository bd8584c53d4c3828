// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Server;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers whose settings lose acknowledged commits when they are killed: verify finds that. */
@Timeout(300)
@Tag("long")
@Order(1)
class WeakDurabilityTest {

    private static final String LAST_TABLE =
            "SELECT COUNT(*) FROM information_schema.tables WHERE table_name LIKE 'seriatim_verify%pool'";

    @Test
    void what_postgresql_loses_without_synchronous_commit_is_found() throws Exception {
        try (Server server = Server.postgresql(Map.of("synchronous_commit", "off", "wal_writer_delay", "10s"))) {
            Database database = server.freshDatabase();
            CompletableFuture<VerifyRun> run = run(server, database);
            // So that at least the tables exist afterwards.
            while (!run.isDone()
                    && !(succeeds(() -> database.number(LAST_TABLE) == 1)
                            && succeeds(() -> executes(database, "CHECKPOINT")))) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            isFound(run.get());
        }
    }

    @Test
    void what_mariadb_loses_without_a_flush_at_each_commit_is_found() throws Exception {
        try (Server server = Server.mariadb(Map.of("innodb_flush_log_at_trx_commit", "0"))) {
            isFound(run(server, server.freshDatabase()).get());
        }
    }

    @Test
    void what_h2_loses_with_its_own_write_delay_is_found() throws Exception {
        try (Server server = Server.h2()) {
            Database database = server.freshDatabase();
            // Without those that lose numbers in a file anyway, by rollbacks.
            CompletableFuture<VerifyRun> run =
                    run(server, database, "--modes", "ASYNC,COMBINED,BATCH,ASYNC_BATCH,ADAPTIVE");
            // The store sets it to 0 on each connection that it opens.
            while (!run.isDone()) {
                succeeds(() -> executes(database, "SET WRITE_DELAY 500"));
                TimeUnit.MILLISECONDS.sleep(20);
            }
            isFound(run.get());
        }
    }

    private static CompletableFuture<VerifyRun> run(Server server, Database database, String... options) {
        server.kill();
        List<String> all = new ArrayList<>(List.of(
                "--no-controls",
                "--faults",
                "server",
                "--until",
                "server-kills=10",
                "--format",
                "json",
                "--server-command",
                "exec " + server.shellCommand()));
        all.addAll(List.of(options));
        String url = database.option("seriatim.durability", "warn").url();
        return CompletableFuture.supplyAsync(() -> VerifyRun.on(url, all.toArray(String[]::new)));
    }

    private static void isFound(VerifyRun run) {
        assertThat(run.code()).as(run.summary()).isEqualTo(3);
        assertThat(run.objects("modes").stream()
                        .flatMap(mode -> StreamSupport.stream(
                                mode.getAsJsonArray("violations").spliterator(), false)))
                .as(run.out())
                .anyMatch(WeakDurabilityTest::isOfNumbers);
    }

    /** A draw that fails could have other causes, such as a table that is gone, unless the library says that its counter went back. */
    private static boolean isOfNumbers(JsonElement violation) {
        String kind = violation.getAsJsonObject().get("kind").getAsString();
        return Stream.of("duplicate", "out_of_order", "gap", "not_conserved").anyMatch(kind::equals)
                || violation.toString().contains("Regressed: ");
    }

    private interface Statement {
        boolean run() throws SQLException;
    }

    private static boolean executes(Database database, String statement) throws SQLException {
        database.execute(statement);
        return true;
    }

    /** Returns whether a statement succeeds, which it does not while the server is down. */
    private static boolean succeeds(Statement statement) {
        try {
            return statement.run();
        } catch (SQLException e) {
            return false;
        }
    }
}
