// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A user's trigger on the table rejects a draw: the outcome is definite in every kind of transaction. */
class TriggerRefusesTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_draw_that_is_its_own_transaction(Engine engine) throws SQLException {
        engine.assume();
        Database database = engine.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
            store.reserve("a", 1);
            if (engine == Engine.POSTGRESQL) {
                database.execute(
                        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                                + " $$ BEGIN RAISE EXCEPTION 'closed for today'; END $$",
                        "CREATE TRIGGER refuse BEFORE UPDATE ON seriatim_sequence FOR EACH ROW EXECUTE FUNCTION refuse()");
            } else {
                database.execute("CREATE TRIGGER refuse BEFORE UPDATE ON seriatim_sequence FOR EACH ROW"
                        + " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'closed for today'");
            }
            assertThat(catchThrowable(() -> store.reserve("a", 1)))
                    .isNotInstanceOf(CommitOutcomeUnknown.class)
                    .hasMessageContaining("closed for today");
            assertThat(store.describe("a").nextValue()).isEqualTo(2);
            database.execute("DROP TRIGGER refuse" + (engine == Engine.POSTGRESQL ? " ON seriatim_sequence" : ""));
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(2);
        }
    }
}
