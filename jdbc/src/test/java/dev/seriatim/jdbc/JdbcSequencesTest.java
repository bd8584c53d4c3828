// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GaplessSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The entry point for users: any data source, or a URL. */
@Timeout(60)
class JdbcSequencesTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Engine.class,
            names = {"SQLITE", "POSTGRESQL", "MARIADB"})
    void every_guarantee_over_a_data_source_and_again_in_the_next_process(Engine engine) throws SQLException {
        DataSource source = engine.freshDatabase().dataSource();
        for (int run = 0; run < 2; run++) {
            try (JdbcSequences sequences = JdbcSequences.open(source, settings -> settings.giveBackOnClose(true))) {
                Sequence orders = sequences.unique("order_id");
                Sequence tickets = sequences.ordered("ticket");
                GaplessSequence<Connection> invoices = sequences.gapless("invoice");
                assertThat(orders.next()).isEqualTo(run + 1);
                assertThat(tickets.next()).isEqualTo(run + 1);
                assertThat(drawn(source, invoices, true)).isEqualTo(2 * run + 1);
                assertThat(drawn(source, invoices, false)).isEqualTo(2 * run + 2);
                assertThat(invoices.grouped().<Long, RuntimeException>commit(Turn::next))
                        .isEqualTo(2 * run + 2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Engine.class,
            names = {"POSTGRESQL", "MARIADB"})
    void numbers_from_a_pool(Engine engine) {
        try (JdbcSequences sequences = JdbcSequences.open(engine.freshDatabase().dataSource())) {
            GaplessSequence<Connection> slips = sequences.gapless("slip");
            assertThat(sequences.<Long, RuntimeException>inTransaction(slips.pooled()::next))
                    .isEqualTo(1);
            assertThat(sequences
                            .inTransaction(transaction -> slips.pooled().next(transaction, 3))
                            .toList())
                    .containsExactly(2L, 3L, 4L);
        }
    }

    @Test
    void a_url_is_enough() {
        String url = "sqlite:" + folder.resolve("shop.db");
        for (long run = 1; run <= 2; run++) {
            try (JdbcSequences sequences = JdbcSequences.open(url)) {
                assertThat(sequences.define(
                                SequenceDefinition.named("from7").startWith(7L).build()))
                        .isEqualTo(run == 1);
                assertThat(sequences.<Long, RuntimeException>inTransaction(sequences.gapless("invoice")::next))
                        .isEqualTo(run);
                assertThat(sequences.store().list())
                        .extracting(SequenceState::definition)
                        .extracting(SequenceDefinition::name)
                        .containsExactly("from7", "invoice");
            }
        }
    }

    @Test
    void a_url_of_another_kind_is_refused_and_its_store_closed() {
        assertThatThrownBy(() -> JdbcSequences.open("memory:"))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessage(
                        "'memory:' does not name a table of sequences in a database; open it with StoreSequences.open");
    }

    @Test
    void a_store_that_is_the_callers_stays_open() {
        try (JdbcStore store = JdbcStore.open(Engine.SQLITE.freshDatabase().dataSource())) {
            JdbcSequences.over(store, settings -> {}).close();
            assertThat(store.list()).isEmpty();
        }
    }

    private static long drawn(DataSource source, GaplessSequence<Connection> invoices, boolean committed)
            throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            long number = invoices.next(connection);
            if (committed) {
                connection.commit();
            } else {
                connection.rollback();
            }
            return number;
        }
    }
}
