// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.SqlSpeaker.Refusal.DUPLICATE;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.UNKNOWN;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.USED_UP;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.WRONG;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.WRONG_ROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.store.SequenceTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The functions over an existing table with a name and a counter. */
@ParameterizedClass
@EnumSource
class SqlPlainTableTest {

    private final SqlSpeaker speaker;
    private Database database;
    private HikariDataSource pool;

    SqlPlainTableTest(SqlSpeaker speaker) {
        this.speaker = speaker.installed();
    }

    @BeforeEach
    void create() throws SQLException {
        database = speaker.freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        pool = new HikariDataSource(config);
        database.execute(
                speaker == SqlSpeaker.POSTGRESQL
                        ? "CREATE TABLE seq_table (seq_name CHAR(10) PRIMARY KEY, last_val BIGINT)"
                        : "CREATE TABLE seq_table (seq_name CHAR(10) PRIMARY KEY, last_val BIGINT UNSIGNED)",
                "INSERT INTO seq_table VALUES ('test', 0)",
                "CREATE TABLE counters (counter VARCHAR(30) PRIMARY KEY, value BIGINT NOT NULL)");
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private interface Both {
        void run(JdbcStore store, SqlSession sql) throws SQLException;
    }

    private void over(SequenceTable table, Both test) throws SQLException {
        try (JdbcStore store = JdbcStore.open(pool, table);
                SqlSession sql = SqlSession.on(database)) {
            store.install();
            test.run(store, sql);
        }
    }

    private static SequenceTable published() {
        return SequenceTable.lastValue("seq_table", "seq_name", "last_val");
    }

    @Test
    void the_published_table_is_used_as_it_is() throws SQLException {
        over(published(), (store, sql) -> {
            assertThat(sql.lastVal("test")).isNull();
            assertThat(sql.nextVal("test")).isEqualTo(1);
            assertThat(store.reserve("test", 3).block().first()).isEqualTo(2);
            assertThat(sql.lastVal("test")).isEqualTo(4);
            assertThat(sql.nextVal("test")).isEqualTo(5);
            assertThat(sql.number("SELECT last_val FROM seq_table")).isEqualTo(5);
            assertThat(sql.setVal("test", 99)).isEqualTo(99);
            assertThat(store.reserve("test", 1).block().first()).isEqualTo(100);
            assertThat(sql.number("SELECT drop_sequence('test')")).isEqualTo(1);
            assertThat(sql.number("SELECT COUNT(*) FROM seq_table")).isZero();
        });
    }

    @Test
    void sequences_are_created_as_rows() throws SQLException {
        over(published(), (store, sql) -> {
            assertThat(sql.number("SELECT create_sequence('a', NULL, NULL)")).isEqualTo(1);
            assertThat(sql.number("SELECT create_sequence('b', 1000, 1)")).isEqualTo(1000);
            assertThat(sql.number("SELECT last_val FROM seq_table WHERE seq_name = 'b'"))
                    .isEqualTo(999);
            assertThat(sql.nextVal("a")).isEqualTo(1);
            assertThat(store.reserve("b", 1).block().first()).isEqualTo(1000);
            speaker.refuses(DUPLICATE, () -> sql.ask("SELECT create_sequence('a', 1, 1)"))
                    .hasMessageContaining("sequence 'a' already exists in table seq_table");
            speaker.refuses(WRONG, () -> sql.ask("SELECT create_sequence('c', 1, 5)"))
                    .hasMessageContaining("a row of table seq_table holds no increment");
            speaker.refuses(WRONG, () -> sql.ask("SELECT create_sequence('c', 0, 1)"))
                    .hasMessageContaining("start 0 is outside its bounds");
            assertThatThrownBy(() -> sql.ask("SELECT create_sequence('elevenchars', 1, 1)"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("too long");
        });
    }

    @Test
    void what_cannot_be_drawn_is_an_error_and_no_stale_value() throws SQLException {
        over(published(), (store, sql) -> {
            sql.nextVal("test");
            speaker.refuses(UNKNOWN, () -> sql.nextVal("nobody"))
                    .hasMessageContaining("'nobody' not found in table seq_table");
            sql.setVal("test", Long.MAX_VALUE);
            speaker.refuses(USED_UP, () -> sql.nextVal("test")).hasMessageContaining("last_val is 9223372036854775807");
            sql.run("UPDATE seq_table SET last_val = NULL");
            speaker.refuses(WRONG_ROW, () -> sql.nextVal("test")).hasMessageContaining("correct the row");
        });
    }

    @Test
    void a_table_without_a_key_is_guarded_all_the_same() throws SQLException {
        database.execute("CREATE TABLE keyless (n VARCHAR(20), v BIGINT)");
        over(SequenceTable.lastValue("keyless", "n", "v"), (store, sql) -> {
            sql.run("SELECT create_sequence('one', 1, 1)");
            speaker.refuses(DUPLICATE, () -> sql.ask("SELECT create_sequence('one', 1, 1)"));
            sql.run("INSERT INTO keyless VALUES ('one', 70)");
            assertThatThrownBy(() -> sql.nextVal("one")).hasMessageContaining("more than one row");
            assertThat(sql.number("SELECT SUM(v) FROM keyless")).isEqualTo(70);
        });
    }

    @Test
    void any_rule_that_a_plain_table_can_have() throws SQLException {
        Random random = new Random(7);
        for (long increment : new long[] {1, 3, -1, -4, Long.MAX_VALUE / 2, Long.MIN_VALUE / 2}) {
            for (SequenceTable.Kind kind : List.of(SequenceTable.Kind.NEXT_VALUE, SequenceTable.Kind.LAST_VALUE)) {
                for (long around : new long[] {Long.MIN_VALUE, -5, 0, 5, Long.MAX_VALUE}) {
                    rule(random, kind, increment, around);
                }
            }
        }
    }

    private void rule(Random random, SequenceTable.Kind kind, long increment, long around) throws SQLException {
        long[] bounds = bounds(random, around);
        SequenceTable table;
        try {
            table = new SequenceTable("counters", "counter", "value", kind, template(increment, bounds));
        } catch (Misconfigured noRoomForAllStates) {
            return;
        }
        over(table, (store, sql) -> {
            sql.run("DELETE FROM counters");
            sql.run("SELECT create_sequence('s', NULL, NULL)");
            assertThat(alternately(random, store, sql)).isEqualTo(every(table.template()));
            speaker.refuses(USED_UP, () -> sql.nextVal("s"));
            assertThat(store.describe("s").usedUp()).isTrue();
            assertThat(sql.lastVal("s")).isEqualTo(store.describe("s").nextValue());
            sql.setVal("s", table.template().start());
            assertThat(sql.lastVal("s")).isEqualTo(table.template().start());
        });
    }

    private static SequenceDefinition template(long increment, long[] bounds) {
        return SequenceDefinition.named("any")
                .incrementBy(increment)
                .minValue(bounds[0])
                .maxValue(bounds[1])
                .build();
    }

    /** Returns bounds for up to a dozen values, at an end of 64 bits or far enough from it that one more step fits. */
    private static long[] bounds(Random random, long around) {
        long room = random.nextInt(12);
        long away = random.nextInt(5);
        if (around == Long.MIN_VALUE) {
            return new long[] {around + away, around + away + room};
        }
        return around == Long.MAX_VALUE
                ? new long[] {around - away - room, around - away}
                : new long[] {around - room, around};
    }

    private static List<Long> alternately(Random random, JdbcStore store, SqlSession sql) throws SQLException {
        List<Long> drawn = new ArrayList<>();
        while (!store.describe("s").usedUp()) {
            drawn.add(random.nextBoolean() ? sql.nextVal("s") : one(store));
        }
        return drawn;
    }

    private static Long one(JdbcStore store) {
        return store.reserve("s", 1).block().first();
    }

    private static List<Long> every(SequenceDefinition d) {
        return LongStream.iterate(
                        0,
                        steps -> steps <= Long.divideUnsigned(d.max() - d.min(), Math.abs(d.increment())),
                        s -> s + 1)
                .mapToObj(steps -> d.start() + steps * d.increment())
                .toList();
    }
}
