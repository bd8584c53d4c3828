// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Sequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbers that are laid out ahead, drawn and shown by command. */
class PooledTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void numbers_are_drawn_and_the_pool_is_shown(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        String store = database.url();
        on(store, "create", "orders").succeeded();
        assertThat(on(store, "show", "orders").succeeded()).doesNotContain("laid out");
        assertThat(on(store, "next", "orders", "-n", "3", "--mode", "POOLED").succeeded())
                .isEqualTo("1\n2\n3\n");
        assertThat(on(store, "next", "orders", "--mode", "pooled").succeeded()).isEqualTo("4\n");
        assertThat(on(store, "show", "orders").succeeded())
                .contains("\nclaimed       0,", "\nuncommitted   from 5\n")
                .containsPattern("\nlaid out      [1-9]");
        try (JdbcStore library = JdbcStore.open(database.dataSource());
                Sequences sequences = Sequences.of(library);
                Connection open = database.connect()) {
            open.setAutoCommit(false);
            assertThat(sequences.pooled("orders", library).next(open)).isEqualTo(5);
            assertThat(on(store, "show", "orders", "--format", "json").succeeded())
                    .contains("\"claimed\": \"1\"", "\"lowest_uncommitted\": \"5\"");
            assertThat(on(store, "next", "orders", "-n", "2", "--mode", "POOLED")
                            .succeeded())
                    .isEqualTo("6\n7\n");
            open.rollback();
        }
        assertThat(on(store, "next", "orders", "-n", "2", "--mode", "POOLED").succeeded())
                .isEqualTo("5\n8\n");
        on(store, "restart", "orders").succeeded();
        assertThat(on(store, "next", "orders", "--mode", "POOLED").succeeded()).isEqualTo("1\n");
        on(store, "drop", "orders").succeeded();
        assertThat(database.number("SELECT COUNT(*) FROM seriatim_sequence_pool"))
                .isZero();
    }

    @Test
    void where_it_cannot_be_done_the_reason_and_the_remedy_are_told(@TempDir Path folder) {
        String store = "sqlite:" + folder.resolve("orders.db");
        on(store, "create", "orders").succeeded();
        on(store, "next", "orders", "--mode", "POOLED")
                .failedWith("'orders'", "SQLite cannot serve the mode POOLED", "use GROUPED, or SYNC");
        assertThat(on(store, "show", "orders").succeeded()).doesNotContain("laid out");
        on("memory:", "next", "orders", "--create", "--mode", "POOLED").failedWith("POOLED", "use --mode GROUPED");
    }

    private static CommandLineRun on(String store, String... arguments) {
        return CommandLineRun.of(Map.of("SERIATIM_STORE", store), arguments);
    }
}
