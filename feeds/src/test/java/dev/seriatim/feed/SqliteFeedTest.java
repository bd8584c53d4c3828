// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SqliteFeedTest extends FeedContract {

    @Override
    Engine engine() {
        return Engine.SQLITE;
    }

    @Test
    void a_feed_over_the_same_table_by_another_name_is_refused() {
        feeds.table("orders");
        assertThatThrownBy(() -> feeds.table("main.orders"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("would have the tables of feed 'orders'; name it differently");
    }

    /** A deferred transaction may have read before it takes the lock, and may have written before the reader is entered. */
    @Test
    void a_reader_in_callers_transactions_handles_each_entry_once() throws SQLException {
        FeedReader reader = feeds.table("orders").reader("billing");
        sql("INSERT INTO orders VALUES (1, 'a')");
        try (Connection one = begin();
                Connection two = begin()) {
            run(two, "SELECT * FROM orders");
            run(one, "INSERT INTO orders VALUES (2, 'b')");
            assertThat(reader.run(one, 9, (transaction, batch) -> {})).isEqualTo(2);
            assertThatThrownBy(() -> reader.run(two, 9, (transaction, batch) -> {}))
                    .isInstanceOf(SequenceException.class);
            two.rollback();
            one.commit();
            assertThat(reader.run(two, 9, (transaction, batch) -> {})).isZero();
            two.rollback();
        }
        assertThat(reader.position()).isEqualTo(2);
    }
}
