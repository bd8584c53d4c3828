// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The functions on PostgreSQL; the procedures on MariaDB and MySQL. */
class FeedFunctionsTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void a_feed_is_stamped_and_a_reader_advanced_in_sql_alone(Engine engine) throws SQLException {
        Database server = engine.freshDatabase();
        String call = engine == Engine.POSTGRESQL ? "SELECT " : "CALL ";
        server.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY)", "INSERT INTO orders VALUES (5), (3)");
        try (JdbcFeeds feeds = JdbcFeeds.open(server.dataSource())) {
            assertThat(feeds.install()).isTrue();
            assertThat(feeds.install()).isTrue();
            Feed orders = feeds.table("orders");
            assertThat(server.number(call + "feed_stamp('orders')")).isEqualTo(2);
            assertThat(server.number(call + "feed_stamp('orders')")).isZero();
            assertThat(server.number(call + "feed_last('orders')")).isEqualTo(2);
            assertThat(orders.read(0, 9).stream().map(Entry::key)).containsExactly(3L, 5L);
            server.execute(
                    call + "feed_advance('orders', 'billing', 1)", call + "feed_advance('orders', 'billing', 2)");
            assertThat(orders.reader("billing").position()).isEqualTo(2);
            assertThatThrownBy(() -> server.execute(call + "feed_advance('orders', 'billing', 1)"))
                    .hasMessageContaining("beyond");
            assertThatThrownBy(() -> server.execute(call + "feed_advance('orders', 'billing', 3)"))
                    .hasMessageContaining("ends before");
            assertThatThrownBy(() -> server.execute(call + "feed_advance('missing', 'billing', 0)"))
                    .hasMessageContaining("not found");
            assertThat(orders.reader("billing").position()).isEqualTo(2);
            assertThatThrownBy(() -> server.execute(call + "feed_stamp('missing')"))
                    .hasMessageContaining("not found");
            assertThat(orders.check().faults()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE"})
    void sqlite_needs_none(Engine engine) {
        try (JdbcFeeds feeds = JdbcFeeds.open(engine.freshDatabase().dataSource())) {
            assertThat(feeds.install()).isFalse();
        }
    }
}
