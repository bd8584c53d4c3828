// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server that goes away while it commits. */
class LostAnswerTest {

    @Test
    void next_says_that_one_can_draw_again() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Map<String, String> store = Map.of("SERIATIM_STORE", database.url());
        CommandLineRun.of(store, "create", "a").succeeded();
        database.execute(
                "CREATE FUNCTION go_away() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(5); RETURN NEW; END $$",
                "CREATE CONSTRAINT TRIGGER go_away AFTER UPDATE ON seriatim_sequence DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION go_away()");
        CommandLineRun.of(store, "next", "a")
                .failedWith("'a'", "the store's answer was lost", "draw again", "may be lost, but none is dealt twice");
        database.execute("DROP TRIGGER go_away ON seriatim_sequence");
        CommandLineRun.of(store, "next", "a").succeeded();
    }
}
