// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.rowpool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The marks on connections that stay in use while a refill overlaps with a claim. */
class PoolMarksTest {

    private final PoolMarks marks = new PoolMarks();

    @Test
    void a_claim_that_is_under_way_does_not_renew_what_a_refill_forgets() throws SQLException {
        try (Connection connection = Engine.SQLITE.freshDatabase().connect()) {
            marks.reached(connection, "s", OptionalLong.empty(), 5, 5);
            OptionalLong from = marks.of(connection, "s");
            assertThat(from).hasValue(5);

            assertThat(marks.inDoubt("s")).containsExactly(5L);
            marks.forget("s", Set.of(5L)); // its transaction has ended
            marks.reached(connection, "s", from, 6, 6);
            assertThat(marks.of(connection, "s")).isEmpty();

            marks.reached(connection, "s", OptionalLong.empty(), 7, 7);
            assertThat(marks.of(connection, "s")).hasValue(7);
        }
    }

    @Test
    void a_claim_goes_on_from_the_one_before() throws SQLException {
        try (Connection connection = Engine.SQLITE.freshDatabase().connect()) {
            marks.reached(connection, "s", OptionalLong.empty(), 5, 5);
            marks.reached(connection, "s", marks.of(connection, "s"), 6, 6);
            assertThat(marks.of(connection, "s")).hasValue(6);
            marks.begins(connection);
            assertThat(marks.of(connection, "s")).isEmpty();
        }
    }
}
