// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.StoreDriver;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node's answer includes what the others have acknowledged, even if it has not applied that yet. */
@Timeout(120)
class GaleraReadsTest {

    private static List<Database> nodes = List.of();
    private static JdbcStore here;
    private static JdbcStore there;

    @BeforeAll
    static void open() {
        nodes = Engine.GALERA.freshDatabaseOnEachNode();
        here = (JdbcStore) StoreDriver.open(nodes.get(0).url());
        there = (JdbcStore) StoreDriver.open(nodes.get(1).url());
    }

    @AfterAll
    static void close() {
        for (JdbcStore store : nodes.isEmpty() ? List.<JdbcStore>of() : List.of(here, there)) {
            store.close();
        }
    }

    @Test
    void a_number_that_another_node_has_acknowledged_is_the_highest_at_once() throws Exception {
        KeptNumbers kept = new KeptNumbers("invoice");
        nodes.get(1).execute(kept.create());
        try (Connection other = nodes.get(1).connect()) {
            for (long number = 1; number <= 1000; number++) {
                kept.keep(other, number);
                assertThat(here.extreme(ColumnName.of("invoice", "number"), true))
                        .hasValue(number);
            }
        }
    }

    @Test
    void a_sequence_that_was_used_up_is_drawn_from_as_soon_as_another_node_has_extended_it() {
        there.create(SequenceDefinition.named("short").maxValue(1L).build());
        assertThat(here.reserve("short", 1).block().first()).isEqualTo(1);
        for (long last = 2; last <= 1500; last++) {
            long more = last;
            there.alter(
                    "short", definition -> definition.toBuilder().maxValue(more).build());
            assertThat(here.reserve("short", 1).block().first()).isEqualTo(last);
        }
    }

    @Test
    void a_sequence_that_another_node_has_made_anew_is_found_at_once() {
        for (int i = 0; i < 200; i++) {
            there.create(SequenceDefinition.of("anew"));
            assertThat(here.reserve("anew", 1).block().first()).isEqualTo(1);
            there.drop("anew");
        }
    }

    @Test
    void the_first_sequence_of_another_node_is_found_at_once_with_its_table() throws Exception {
        for (int i = 0; i < 50; i++) {
            String table = "numbers_" + i;
            try (JdbcStore maker = at(1, table);
                    JdbcStore reader = at(0, table);
                    JdbcStore lister = at(0, table)) {
                lister.list(); // so that it has a connection
                maker.create(SequenceDefinition.of("s"));
                assertThat(lister.list()).hasSize(1);
                assertThat(reader.describe("s").nextValue()).isEqualTo(1);
            }
        }
    }

    private static JdbcStore at(int node, String table) {
        return (JdbcStore)
                StoreDriver.open(nodes.get(node).option("seriatim.table", table).url());
    }
}
