// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GaplessSequence;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** Gapless numbers in jOOQ's transactions, as the recipes promise them. */
class JooqTransactionsTest {

    private final Database database = Engine.POSTGRESQL.freshDatabase();
    private final DSLContext jooq = DSL.using(database.dataSource(), SQLDialect.POSTGRES);

    @Test
    void a_rollback_returns_the_numbers_of_its_transaction_and_no_others() {
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
            assertThat(drawn(jooq, invoices)).isEqualTo(1);
            assertThatThrownBy(() -> jooq.transaction(outer -> {
                        assertThat(outer.dsl().<Long>connectionResult(invoices::next))
                                .isEqualTo(2);
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            assertThat(drawn(jooq, invoices)).isEqualTo(2);
        }
    }

    @Test
    void a_nested_transaction_returns_its_numbers_alone() {
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
            jooq.transaction(outer -> {
                assertThat(outer.dsl().<Long>connectionResult(invoices::next)).isEqualTo(1);
                assertThatThrownBy(() -> outer.dsl().transaction(nested -> {
                            assertThat(nested.dsl().<Long>connectionResult(invoices::next))
                                    .isEqualTo(2);
                            throw new IllegalStateException("no");
                        }))
                        .hasMessage("no");
                assertThat(drawn(outer.dsl(), invoices)).isEqualTo(2);
            });
            assertThat(drawn(jooq, invoices)).isEqualTo(3);
        }
    }

    private static long drawn(DSLContext in, GaplessSequence<Connection> invoices) {
        return in.transactionResult(transaction -> transaction.dsl().<Long>connectionResult(invoices::next));
    }
}
