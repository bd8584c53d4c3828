// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.mysql.MySqlDialect;
import dev.seriatim.jdbc.postgres.PostgresDialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.servers.Database;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The printed grants are sufficient for their purpose and allow nothing more. */
@ParameterizedClass
@EnumSource
class LeastPrivilegesTest {

    private static final String PASSWORD = "pass";

    private final SqlSpeaker speaker;
    private Database database;
    private String user = "";
    private JdbcStore administrator;

    LeastPrivilegesTest(SqlSpeaker speaker) {
        this.speaker = speaker.installed();
    }

    @BeforeEach
    void open() throws SQLException {
        database = speaker.freshDatabase();
        user = "u_" + database.name();
        database.execute(speaker.newUser(user, PASSWORD));
        administrator = JdbcStore.open(database.dataSource());
        administrator.install();
        administrator.create(SequenceDefinition.of("orders"));
    }

    @AfterEach
    void close() {
        administrator.close();
    }

    @Test
    void to_draw_through_the_library() throws SQLException {
        grant("to draw");
        try (JdbcStore store = JdbcStore.open(database.as(user, PASSWORD).dataSource());
                StoreSequences sequences = StoreSequences.of(store)) {
            assertThat(store.reserve("orders", 1).block().first()).isEqualTo(1);
            assertThat(store.reserve("orders", 1).block().first()).isEqualTo(2);
            assertThat(sequences.open("orders", Allocation.batch(10)).next()).isEqualTo(3);
            long inTransaction = store.inTransaction(TransactionalSequence.of(store, "orders")::next);
            assertThat(inTransaction).isEqualTo(13);
            assertThat(store.describe("orders").nextValue()).isEqualTo(14);
            assertThat(store.list()).hasSize(1);
            store.raise("orders", 20);
            assertThatThrownBy(() -> store.create(SequenceDefinition.of("more")))
                    .isInstanceOf(Misconfigured.class);
            assertThatThrownBy(() -> store.drop("orders")).isInstanceOf(Misconfigured.class);
        }
        denied("SELECT next_val('orders')");
        denied("DROP TABLE seriatim_sequence");
    }

    @Test
    void to_draw_in_the_mode_POOLED() throws SQLException {
        grant("to draw");
        grant("to draw in the mode POOLED");
        try (JdbcStore store = JdbcStore.open(database.as(user, PASSWORD).dataSource());
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> orders = sequences.pooled("orders", store);
            assertThat(store.<Long, RuntimeException>inTransaction(orders::next))
                    .isEqualTo(1);
            assertThat(store.poolState("orders").orElseThrow().claimed()).isZero();
            store.raise("orders", 20);
            assertThat(store.<Long, RuntimeException>inTransaction(orders::next))
                    .isEqualTo(20);
        }
    }

    @Test
    void not_to_touch_a_pool_without_the_right_to() throws SQLException {
        try (StoreSequences sequences = StoreSequences.of(administrator)) {
            PooledSequence<Connection> orders = sequences.pooled("orders", administrator);
            assertThat(administrator.<Long, RuntimeException>inTransaction(orders::next))
                    .isEqualTo(1);
        }
        grant("to draw");
        try (JdbcStore store = JdbcStore.open(database.as(user, PASSWORD).dataSource());
                StoreSequences sequences = StoreSequences.of(store)) {
            assertThat(store.reserve("orders", 1).block().first()).isGreaterThan(1);
            assertThat(store.poolState("orders").orElseThrow().lowest()).hasValue(2);
            assertThatThrownBy(() -> store.restart("orders", 1))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("install --print");
            PooledSequence<Connection> orders = sequences.pooled("orders", store);
            assertThatThrownBy(() -> store.<Long, RuntimeException>inTransaction(orders::next))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("install --print");
        }
    }

    @Test
    void a_missing_right_on_the_pools_table_is_named_with_its_remedy() throws SQLException {
        grant("to draw");
        database.execute("DROP TABLE seriatim_sequence_pool");
        try (JdbcStore store = JdbcStore.open(database.as(user, PASSWORD).dataSource());
                StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<Connection> orders = sequences.pooled("orders", store);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) { // the counter gives a number while the refill is slow to fail
                            store.<Long, RuntimeException>inTransaction(orders::next);
                        }
                    })
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("this user may not create table seriatim_sequence_pool of ")
                    .hasMessageContaining("run 'seriatim --store URL install' as a user with that privilege");
            administrator.install();
            for (String purpose : List.of("to draw", "to draw in the mode POOLED")) {
                assertThatThrownBy(() -> store.<Long, RuntimeException>inTransaction(orders::next))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("this user may not use table seriatim_sequence_pool of ")
                        .satisfies(e -> {
                            Matcher remedy = Pattern.compile(purpose + ": (GRANT [^;]*);")
                                    .matcher(String.valueOf(e.getMessage()));
                            assertThat(remedy.find()).as(e.getMessage()).isTrue();
                            database.execute(remedy.group(1).replace(Grant.USER, user));
                        });
            }
            assertThat(store.<Long, RuntimeException>inTransaction(orders::next))
                    .isPositive();
        }
    }

    @Test
    void to_create_and_drop_sequences_through_the_library() throws SQLException {
        grant("to draw");
        grant("to create and drop sequences too");
        try (JdbcStore store = JdbcStore.open(database.as(user, PASSWORD).dataSource())) {
            store.create(SequenceDefinition.of("more"));
            assertThat(store.reserve("more", 1).block().first()).isEqualTo(1);
            store.drop("more");
        }
    }

    @Test
    void to_draw_in_SQL() throws SQLException {
        grant("to draw in SQL");
        try (SqlSession sql = SqlSession.on(database.as(user, PASSWORD))) {
            assertThat(sql.nextVal("orders")).isEqualTo(1);
            assertThat(sql.nextVal("orders")).isEqualTo(2);
        }
        for (String more : List.of(
                "SELECT last_val('orders')",
                "SELECT set_val('orders', 1)",
                "SELECT create_sequence('more', 1, 1)",
                "SELECT drop_sequence('orders')",
                "SELECT * FROM seriatim_sequence",
                "UPDATE seriatim_sequence SET next_value = 1")) {
            denied(more);
        }
    }

    @Test
    void to_look_and_to_administer_in_SQL() throws SQLException {
        grant("to look in SQL");
        grant("to administer in SQL");
        try (SqlSession sql = SqlSession.on(database.as(user, PASSWORD))) {
            assertThat(sql.lastVal("orders")).isNull();
            sql.run("SELECT create_sequence('more', 1, 1)");
            sql.run(speaker.create(SequenceDefinition.of("most")));
            sql.setVal("more", 41);
            assertThat(sql.lastVal("more")).isEqualTo(41);
            sql.run("SELECT drop_sequence('more')");
        }
        denied("SELECT next_val('orders')");
    }

    /** Runs the printed statements of a purpose, as an administrator would after inserting a user name. */
    private void grant(String purpose) throws SQLException {
        String[] statements = administrator
                .script()
                .lines()
                .dropWhile(line -> !line.equals("-- " + purpose))
                .skip(1)
                .takeWhile(line -> line.endsWith(";"))
                .map(line -> line.replace("app_user", user))
                .toArray(String[]::new);
        assertThat(statements).isNotEmpty();
        database.execute(statements);
    }

    private void denied(String statement) throws SQLException {
        try (SqlSession sql = SqlSession.on(database.as(user, PASSWORD))) {
            assertThatThrownBy(() -> sql.run(statement)).as(statement).isInstanceOfSatisfying(SQLException.class, e -> {
                boolean postgres = speaker == SqlSpeaker.POSTGRESQL;
                assertThat((postgres ? new PostgresDialect(false) : new MySqlDialect()).fault(e))
                        .as(statement)
                        .isEqualTo(Fault.DENIED);
            });
        }
    }
}
