// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node answers with what the others have acknowledged, although it may not have applied that yet. */
class GaleraReadsTest {

    private static final int ROWS = 1000;

    @Test
    void a_number_that_one_node_has_acknowledged_is_the_highest_on_another_at_once() throws Exception {
        List<Database> nodes = Engine.GALERA.freshDatabaseOnEachNode();
        KeptNumbers kept = new KeptNumbers("invoice");
        nodes.get(1).execute(kept.create());
        try (JdbcStore store = JdbcStore.open(nodes.get(0).dataSource());
                Connection other = nodes.get(1).connect()) {
            for (long number = 1; number <= ROWS; number++) {
                kept.keep(other, number);
                assertThat(store.extreme("invoice", "number", true)).hasValue(number);
            }
        }
    }
}
