// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What users set on a connection leads no draw to another table of the same name. */
class QualifiedTableTest {

    private static final int DRAWS = 5;

    /** How users send a session elsewhere. */
    private enum Turning {
        POSTGRESQL_BY_METHOD(Engine.POSTGRESQL) {
            @Override
            void turn(Connection connection, String schema) throws SQLException {
                connection.setSchema(schema);
            }
        },
        POSTGRESQL_BY_STATEMENT(Engine.POSTGRESQL) {
            @Override
            void turn(Connection connection, String schema) throws SQLException {
                run(connection, "SET search_path = " + schema);
            }
        },
        MARIADB_BY_METHOD(Engine.MARIADB) {
            @Override
            void turn(Connection connection, String schema) throws SQLException {
                connection.setCatalog(schema);
            }
        },
        MARIADB_BY_STATEMENT(Engine.MARIADB) {
            @Override
            void turn(Connection connection, String schema) throws SQLException {
                run(connection, "USE " + schema);
            }
        };

        private final Engine engine;

        Turning(Engine engine) {
            this.engine = engine;
        }

        abstract void turn(Connection connection, String schema) throws SQLException;
    }

    /** Two schemas of a server; on MariaDB, two databases. */
    private record Two(Database first, Database second, String nameOfSecond) {

        static Two on(Engine engine) throws SQLException {
            Database database = engine.freshDatabase();
            if (engine == Engine.MARIADB) {
                Database other = engine.freshDatabase();
                return new Two(database, other, other.name());
            }
            database.execute("CREATE SCHEMA ta", "CREATE SCHEMA tb");
            return new Two(database.option("currentSchema", "ta"), database.option("currentSchema", "tb"), "tb");
        }

        /** Gives the second schema a table with the same sequence. */
        void fillSecond(String sequence) {
            try (JdbcStore store = JdbcStore.open(second.dataSource())) {
                store.create(SequenceDefinition.of(sequence));
            }
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static JdbcSequences open(Database database, boolean keeping) {
        return keeping
                ? JdbcSequences.keeping(database.dataSource(), 2, settings -> {})
                : JdbcSequences.open(database.url());
    }

    private static List<Long> drawn(Sequence sequence) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < DRAWS; i++) {
            numbers.add(sequence.next());
        }
        return numbers;
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL_BY_METHOD, true",
        "POSTGRESQL_BY_METHOD, false",
        "POSTGRESQL_BY_STATEMENT, false",
        "MARIADB_BY_METHOD, true",
        "MARIADB_BY_METHOD, false",
        "MARIADB_BY_STATEMENT, false"
    })
    void ordered_draws_go_on_after_a_transaction_that_has_left_the_schema(Turning turning, boolean keeping)
            throws SQLException {
        Two two = Two.on(turning.engine);
        try (JdbcSequences sequences = open(two.first(), keeping)) {
            Sequence ids = sequences.open("s", Allocation.combined());
            assertThat(drawn(ids)).containsExactly(1L, 2L, 3L, 4L, 5L);
            two.fillSecond("s");
            sequences.inTransaction(connection -> {
                turning.turn(connection, two.nameOfSecond());
                return true;
            });
            assertThat(drawn(ids)).containsExactly(6L, 7L, 8L, 9L, 10L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void gapless_draws_go_on_in_transactions_that_have_left_the_schema(Turning turning) throws SQLException {
        Two two = Two.on(turning.engine);
        try (JdbcSequences sequences = open(two.first(), false)) {
            GaplessSequence<Connection> gapless = sequences.gapless("s");
            GroupedSequence<Connection> grouped = gapless.grouped();
            assertThat(sequences.<Long, SQLException>inTransaction(gapless::next))
                    .isEqualTo(1);
            two.fillSecond("s");
            for (long n = 2; n < 2 + DRAWS; n++) {
                assertThat(sequences.<Long, SQLException>inTransaction(connection -> {
                            turning.turn(connection, two.nameOfSecond());
                            return gapless.next(connection);
                        }))
                        .isEqualTo(n);
            }
            for (long n = 2 + DRAWS; n < 2 + 2 * DRAWS; n++) {
                assertThat(grouped.<Long, SQLException>commit(unit -> {
                            turning.turn(unit.transaction(), two.nameOfSecond());
                            return unit.next();
                        }))
                        .isEqualTo(n);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL_BY_METHOD", "MARIADB_BY_METHOD"})
    void a_pool_stays_where_it_was_made(Turning turning) throws SQLException {
        Two two = Two.on(turning.engine);
        two.fillSecond("s");
        try (JdbcSequences sequences = open(two.first(), false)) {
            PooledSequence<Connection> pooled = sequences.gapless("s").pooled();
            for (long n = 1; n <= DRAWS; n++) {
                assertThat(sequences.<Long, SQLException>inTransaction(connection -> {
                            turning.turn(connection, two.nameOfSecond());
                            return pooled.next(connection);
                        }))
                        .isEqualTo(n);
            }
            sequences.store().raise("s", 1000);
            sequences.store().drop("s");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "SQLITE"})
    void a_temporary_table_of_the_same_name_is_not_drawn_from(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        try (JdbcSequences sequences = JdbcSequences.open(database.url())) {
            GroupedSequence<Connection> grouped = sequences.gapless("s").grouped();
            assertThat(grouped.<Long, SQLException>commit(unit -> unit.next())).isEqualTo(1);
            for (long n = 2; n < 2 + DRAWS; n++) {
                assertThat(grouped.<Long, SQLException>commit(unit -> {
                            run(
                                    unit.transaction(),
                                    "CREATE TEMPORARY TABLE IF NOT EXISTS seriatim_sequence (name TEXT, next_value BIGINT)");
                            return unit.next();
                        }))
                        .isEqualTo(n);
            }
        }
    }

    @Test
    void a_temporary_table_of_the_opening_session_is_not_taken_for_the_table() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (Connection connection = database.connect()) {
            run(connection, "CREATE TEMPORARY TABLE seriatim_sequence (name text, next_value bigint)");
            try (JdbcStore store = JdbcStore.open(new SingleConnectionDataSource(connection, true))) {
                store.create(SequenceDefinition.of("s"));
                assertThat(store.reserve("s", 1).block().first()).isEqualTo(1);
            }
        }
        assertThat(database.number("SELECT next_value FROM public.seriatim_sequence"))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_view_in_the_place_of_the_table_is_refused(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        SequenceTable seen = SequenceTable.lastValue("seen", "n", "v");
        database.execute("CREATE TABLE counters (n varchar(30) primary key, v bigint)");
        String quoted = engine == Engine.H2 ? "\"seen\"" : "seen";
        String invoker = engine == Engine.MARIADB ? "SQL SECURITY INVOKER " : "";
        database.execute("CREATE " + invoker + "VIEW " + quoted + " AS SELECT * FROM counters");
        assertThatThrownBy(() -> {
                    try (JdbcStore store = JdbcStore.open(database.dataSource(), seen)) {
                        store.list();
                    }
                })
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("seen is ")
                .hasMessageContaining("name another");
    }

    @Test
    void a_view_that_appears_on_MariaDB_while_the_table_is_missing_is_refused() throws SQLException {
        Database database = Engine.MARIADB.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            database.execute(
                    "CREATE TABLE ran (n int)",
                    "CREATE FUNCTION evil() RETURNS BIGINT MODIFIES SQL DATA SQL SECURITY INVOKER"
                            + " BEGIN INSERT INTO ran VALUES (1); RETURN 1; END",
                    "CREATE SQL SECURITY INVOKER VIEW seriatim_sequence AS SELECT 'a' AS name, evil() AS next_value");
            assertThatThrownBy(store::list).hasMessageContaining("seriatim_sequence is a view");
            assertThatThrownBy(() -> store.reserve("a", 1)).hasMessageContaining("seriatim_sequence is a view");
            assertThatThrownBy(() -> store.create(SequenceDefinition.of("a")))
                    .hasMessageContaining("seriatim_sequence is a view");
        }
        assertThat(database.number("SELECT COUNT(*) FROM ran")).isZero();
    }
}
