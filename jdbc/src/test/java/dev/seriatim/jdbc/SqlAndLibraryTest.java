// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Some sessions use SQL, some the library, and all draw from the same row at the same time. */
@ParameterizedClass
@EnumSource
class SqlAndLibraryTest {

    private static final int THREADS = 8;
    private static final int TURNS = 40;

    private final SqlSpeaker speaker;
    private final List<SqlSession> sessions = new ArrayList<>();
    private Database database;
    private HikariDataSource pool;
    private JdbcStore store;

    SqlAndLibraryTest(SqlSpeaker speaker) {
        this.speaker = speaker.installed();
    }

    @BeforeEach
    void open() throws SQLException {
        database = speaker.freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        pool = new HikariDataSource(config);
        store = JdbcStore.open(pool);
        store.install();
        for (int i = 0; i < THREADS; i++) {
            SqlSession session = SqlSession.on(database);
            // At this level, MariaDB keeps no lock on a row that a guard did not match.
            session.connection().setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            sessions.add(session);
        }
    }

    @AfterEach
    void close() throws SQLException {
        for (SqlSession session : sessions) {
            session.close();
        }
        store.close();
        pool.close();
    }

    @Test
    void without_a_duplicate_a_gap_or_a_violation_of_the_order() {
        store.create(SequenceDefinition.of("shared"));
        TransactionalSequence<Connection> sync = TransactionalSequence.of(store, "shared");
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence async = sequences.open("shared", Allocation.async());
            History history = new Crowd(THREADS, TURNS).draw((thread, turn) -> switch (thread % 4) {
                case 0 -> one(sessions.get(thread).nextVal("shared"));
                case 1 -> one(inTransaction(sessions.get(thread), turn));
                case 2 -> one(async.next());
                default -> one(store.inTransaction(sync::next));
            });
            assertThat(history.duplicates()).isZero();
            assertThat(history.orderViolations(true)).isZero();
            assertThat(history.largest())
                    .as("gapless")
                    .isEqualTo(history.size())
                    .isEqualTo(THREADS * TURNS);
        }
    }

    /** Every other time, first draws and rolls back: the rollback returns the number. */
    private static long inTransaction(SqlSession session, int turn) throws SQLException {
        session.connection().setAutoCommit(false);
        if (turn % 2 == 0) {
            session.nextVal("shared");
            session.connection().rollback();
        }
        long drawn = session.nextVal("shared");
        session.connection().commit();
        return drawn;
    }

    @Test
    void in_blocks_over_the_end_of_a_cycle() {
        store.create(SequenceDefinition.named("round")
                .startWith(0L)
                .incrementBy(-2)
                .minValue(-100L)
                .maxValue(100L)
                .cycle(true)
                .cache(7)
                .build());
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence batch = sequences.open("round", Allocation.batch(7));
            History history = new Crowd(4, 22)
                    .draw((thread, turn) ->
                            one(thread % 2 == 0 ? sessions.get(thread).nextVal("round") : batch.next()));
            // A round has 101 values: those drawn, and the end of the last block, fit into a round that began in the
            // middle.
            assertThat(history.size()).isEqualTo(88);
            assertThat(history.duplicates()).isZero();
        }
    }

    @Test
    void each_value_of_a_short_cycle_equally_often() {
        store.create(SequenceDefinition.named("three").maxValue(3L).cycle(true).build());
        long epoch = store.describe("three").epoch();
        Map<Long, Integer> times = new ConcurrentHashMap<>();
        new Crowd(6, 30).each((thread, turn) -> {
            long value = thread % 3 == 0
                    ? store.reserve("three", 1).block().first()
                    : sessions.get(thread).nextVal("three");
            times.merge(value, 1, Integer::sum);
        });
        assertThat(times).isEqualTo(Map.of(1L, 60, 2L, 60, 3L, 60));
        assertThat(store.describe("three").epoch()).as("60 rounds").isEqualTo(epoch + 59);
    }

    @Test
    void a_value_set_in_SQL_moves_running_instances_and_stops_none() throws SQLException {
        store.create(SequenceDefinition.named("moved").cache(5).build());
        SqlSession sql = sessions.get(0);
        try (StoreSequences sequences = StoreSequences.of(store)) {
            Sequence async = sequences.open("moved", Allocation.async());
            assertThat(async.next()).isEqualTo(1);
            sql.setVal("moved", 1000);
            assertThat(async.next()).isEqualTo(1001);
            sql.setVal("moved", 0);
            assertThat(async.next()).isEqualTo(1);
            sql.run("SELECT drop_sequence('moved')");
            sql.run("SELECT create_sequence('moved', 500, 10)");
            assertThat(async.next()).isEqualTo(500);
            assertThat(sql.nextVal("moved")).isEqualTo(510);
        }
    }

    @Test
    void what_the_library_alters_holds_for_those_who_speak_SQL() throws SQLException {
        store.create(SequenceDefinition.of("altered"));
        SqlSession sql = sessions.get(0);
        assertThat(sql.nextVal("altered")).isEqualTo(1);
        store.alter(
                "altered", definition -> definition.toBuilder().incrementBy(10).build());
        assertThat(sql.nextVal("altered")).isEqualTo(2);
        assertThat(sql.nextVal("altered")).isEqualTo(12);
        store.raise("altered", 50);
        assertThat(sql.nextVal("altered")).isEqualTo(50);
        store.restart("altered", 7);
        assertThat(sql.nextVal("altered")).isEqualTo(7);
    }

    private static Block one(long value) {
        return new Block(value, 1, 1);
    }
}
