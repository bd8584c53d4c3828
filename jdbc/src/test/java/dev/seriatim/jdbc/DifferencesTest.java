// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceStore;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The claims of docs/differences.md about our sequences and the engine's own. */
class DifferencesTest {

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final Database database;
    private final JdbcStore store;

    DifferencesTest() throws SQLException {
        database = Engine.POSTGRESQL.freshDatabase();
        store = JdbcStore.open(database.dataSource());
        store.install();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void one_value_is_a_range() {
        store.create(SequenceDefinition.named("one").minValue(5L).maxValue(5L).build());
        assertThat(store.reserve("one", SequenceStore.CACHE).block()).isEqualTo(new Block(5, 1, 1));
        assertThatThrownBy(() -> store.reserve("one", 1)).isInstanceOf(SequenceException.Exhausted.class);
        assertThatThrownBy(() -> database.execute("CREATE SEQUENCE one MINVALUE 5 MAXVALUE 5"))
                .hasMessageContaining("must be less than");
    }

    @Test
    void a_rollback_gives_back_what_was_drawn_inside_and_the_cache_is_100() throws SQLException {
        store.create(SequenceDefinition.of("s"));
        assertThatThrownBy(() -> store.inTransaction(t -> {
                    assertThat(store.reserve(t, "s", 1).block().first()).isEqualTo(1);
                    throw new Refused();
                }))
                .isInstanceOf(Refused.class);
        assertThat(store.reserve("s", SequenceStore.CACHE).block()).isEqualTo(new Block(1, 100, 1));
        database.execute("CREATE SEQUENCE native", "BEGIN; SELECT nextval('native'); ROLLBACK");
        assertThat(database.number("SELECT nextval('native')")).isEqualTo(2);
        assertThat(database.number("SELECT seqcache FROM pg_sequence")).isEqualTo(1);
    }

    @Test
    void last_val_is_everybodys_and_set_val_has_no_third_argument() throws SQLException {
        store.create(SequenceDefinition.of("s"));
        assertThat(database.number("SELECT COUNT(*) FROM (SELECT last_val('s') v) x WHERE v IS NULL"))
                .isEqualTo(1);
        store.reserve("s", 7);
        assertThat(database.number("SELECT last_val('s')")).isEqualTo(7);
        database.number("SELECT set_val('s', 3)");
        assertThat(database.number("SELECT next_val('s')")).isEqualTo(4);
        assertThatThrownBy(() -> database.number("SELECT set_val('s', 3, false)"))
                .hasMessageContaining("does not exist");
    }

    @Test
    void bounds_that_the_counter_is_outside_of_are_refused_and_wider_ones_go_on() {
        store.create(SequenceDefinition.named("s").maxValue(10L).build());
        store.reserve("s", 10);
        assertThatThrownBy(
                        () -> store.alter("s", d -> d.toBuilder().maxValue(2L).build()))
                .isInstanceOf(SequenceException.Misconfigured.class);
        store.alter("s", d -> d.toBuilder().maxValue(12L).build());
        assertThat(store.reserve("s", 5).block()).isEqualTo(new Block(11, 2, 1));
    }

    @Test
    void a_cycle_starts_over_at_its_minimum() {
        store.create(SequenceDefinition.named("s")
                .startWith(4L)
                .minValue(3L)
                .maxValue(4L)
                .cycle(true)
                .build());
        assertThat(store.reserve("s", 5).block()).isEqualTo(new Block(4, 1, 1));
        assertThat(store.reserve("s", 5).block()).isEqualTo(new Block(3, 2, 1));
    }
}
