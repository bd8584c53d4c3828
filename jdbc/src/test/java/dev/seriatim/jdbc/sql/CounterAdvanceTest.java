// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.h2.H2Dialect;
import dev.seriatim.jdbc.mysql.LastInsertId;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A single statement that adds to a counter and returns it. */
class CounterAdvanceTest {

    private static CounterAdvance of(Engine engine) {
        return engine == Engine.H2 ? new H2Dialect().advance() : CounterAdvance.returning("RETURNING", "+");
    }

    private static OptionalLong run(CounterAdvance advance, Connection connection, String guard) throws SQLException {
        try (PreparedStatement statement = advance.prepare(connection, advance.sql("t", "n", guard))) {
            statement.setLong(1, 10);
            return advance.run(statement);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2"})
    void tells_the_counter_after_it_or_that_no_row_was_met_and_takes_no_two(Engine engine) throws SQLException {
        CounterAdvance advance = of(engine);
        try (Connection connection = engine.freshDatabase().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (n BIGINT)");
            statement.execute("INSERT INTO t VALUES (7)");
            assertThat(run(advance, connection, "n = 7")).hasValue(17);
            assertThat(run(advance, connection, "n = 7")).isEmpty();
            statement.execute("INSERT INTO t VALUES (17)");
            assertThatThrownBy(() -> run(advance, connection, "n = 17"))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("more than one row");
        }
        assertThat(advance.canTell(new Window(1, Long.MIN_VALUE, 0))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, true", "0, 1, true", "0, 0, false", "-1, 1, false", "-5, 6, true", "5, -5, false", "5, -4, true"
    })
    void last_insert_id_tells_counters_above_0_alone(long low, long delta, boolean tells) {
        assertThat(new LastInsertId().canTell(new Window(delta, low, 100))).isEqualTo(tells);
    }
}
