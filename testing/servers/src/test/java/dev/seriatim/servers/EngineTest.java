// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every engine creates working databases that are separate from each other. */
class EngineTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @ParameterizedTest
    @EnumSource
    void two_fresh_databases_do_not_see_each_other(Engine engine) throws SQLException {
        List<Database> nodes = engine.freshDatabaseOnEachNode();
        nodes.get(0).execute("CREATE TABLE marked (n INTEGER PRIMARY KEY)", "INSERT INTO marked VALUES (42)");

        // In a cluster, a commit reaches the other nodes a little later.
        nodes.forEach(node -> Waiting.until(PATIENCE, "the row on " + node, () -> isMarked(node)));
        assertThatThrownBy(() -> engine.freshDatabase().number("SELECT n FROM marked"))
                .isInstanceOf(SQLException.class);
    }

    private static boolean isMarked(Database database) {
        try {
            return database.number("SELECT n FROM marked") == 42;
        } catch (SQLException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    void a_wrong_password_is_refused(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)");

        assertThatThrownBy(() -> database.as(database.user(), "wrong").connect())
                .isInstanceOf(SQLException.class);
    }
}
