// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.postgres.DsqlDialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Crowd;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.dsql.jdbc.DSQLConnector;

/**
 * The row store on a stand-in for Aurora DSQL, and the stand-in itself, because one that refuses nothing proves
 * nothing.
 */
class DsqlTest {

    private DsqlLike dsql;

    @BeforeEach
    void create() {
        dsql = DsqlLike.create();
    }

    private JdbcStore store() {
        return (JdbcStore) dsql.open(dsql.database());
    }

    private static long one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void the_stand_in_lets_two_transactions_change_a_row_and_fails_the_second_when_it_commits() throws SQLException {
        dsql.database()
                .execute("CREATE TABLE t (name VARCHAR(64) PRIMARY KEY, n BIGINT)", "INSERT INTO t VALUES ('a', 1)");
        String add = "UPDATE t SET n = n + %d WHERE name = 'a' RETURNING n";
        try (Connection one = dsql.connect();
                Connection other = dsql.connect()) {
            one.setAutoCommit(false);
            other.setAutoCommit(false);
            assertThat(one(one, add.formatted(10))).isEqualTo(11);
            assertThat(one(other, add.formatted(20))).isEqualTo(21);
            other.commit();
            assertThatThrownBy(one::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"))
                    .hasMessageContaining("OC000");
            assertThat(one(one, "SELECT n FROM t")).isEqualTo(21);
        }
    }

    @Test
    void a_printed_migration_runs_twice_statement_by_statement() throws SQLException {
        try (JdbcStore store = store();
                Connection connection = dsql.connect();
                Statement statement = connection.createStatement()) {
            String script = store.migration(List.of(SequenceDefinition.of("s")));
            String[] statements = script.substring(0, script.indexOf("\n/*")).split(";\n", -1);
            assertThat(statements).hasSize(3).endsWith("");
            for (int run = 1; run <= 2; run++) {
                statement.execute(statements[0]);
                statement.execute(statements[1]);
            }
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(1);
        }
    }

    @Test
    void the_stand_in_fails_who_wrote_before_the_schema_changed() throws SQLException {
        dsql.database().execute("CREATE TABLE t (name VARCHAR(64) PRIMARY KEY, n BIGINT)");
        try (Connection connection = dsql.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO t VALUES ('a', 1)");
            dsql.database().execute("CREATE TABLE u (name VARCHAR(64) PRIMARY KEY)");
            assertThatThrownBy(connection::commit).hasMessageContaining("OC001");
        }
    }

    @Test
    void the_stand_in_asks_its_rules_before_each_statement() throws SQLException {
        try (Connection connection = dsql.connect();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("CREATE SEQUENCE s CACHE 2"))
                    .hasMessageContaining("unsupported");
            assertThatThrownBy(() -> connection.prepareStatement("CREATE SEQUENCE s CACHE 2"))
                    .hasMessageContaining("unsupported");
            assertThatThrownBy(connection::setSavepoint).hasMessageContaining("unsupported");
            assertThat(dsql.statements()).hasSize(2);
        }
    }

    @Test
    void tells_the_caller_to_retry_when_the_conflict_comes_with_the_commit() {
        try (JdbcStore store = store()) {
            store.create(SequenceDefinition.of("s"));
            TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "s");
            assertThatThrownBy(() -> store.inTransaction(transaction -> {
                        long drawn = sequence.next(transaction);
                        assertThat(store.reserve("s", 1).block().first()).isEqualTo(drawn);
                        return drawn;
                    }))
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("nothing was committed")
                    .hasMessageContaining("retry the whole transaction")
                    .hasMessageNotContaining("\n");
            assertThat(store.describe("s").nextValue()).isEqualTo(2);
        }
    }

    private void limited(String what, long most) throws SQLException {
        String name = dsql.database().name();
        dsql.database()
                .execute(
                        "CREATE TABLE invoice (number BIGINT PRIMARY KEY, note VARCHAR(9000))",
                        "ALTER DATABASE " + name + " SET dsql.most_" + what + " = " + most);
    }

    private static void insert(Connection connection, long number, String note) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO invoice VALUES (?, ?)")) {
            insert.setLong(1, number);
            insert.setString(2, note);
            insert.execute();
        }
    }

    /** A unit alone keeps the limit; two in one transaction exceed it, with a statement or at the commit. */
    @ParameterizedTest
    @CsvSource({"rows, 3", "bytes, 9000"})
    void units_that_exceed_a_limit_together_are_committed_apart(String what, long most) throws SQLException {
        limited(what, most);
        // Not compressible.
        String note = new Random(1)
                .ints(6000, ' ', '~')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        try (JdbcStore store = store();
                StoreSequences sequences = StoreSequences.builder(store).build()) {
            store.create(SequenceDefinition.of("s"));
            GroupedSequence<Connection> grouped = sequences.grouped("s", store);
            new Crowd(8, 1).each((thread, turn) -> {
                for (int i = 0; i < 5; i++) {
                    grouped.commit(unit -> {
                        long number = unit.next();
                        insert(unit.transaction(), number, note);
                        if (what.equals("rows")) {
                            insert(unit.transaction(), -number, note);
                        }
                        return number;
                    });
                }
            });
        }
        assertThat(dsql.database().number("SELECT count(*) FROM invoice WHERE number BETWEEN 1 AND 40"))
                .isEqualTo(40);
    }

    @ParameterizedTest
    @CsvSource({
        "rows, 1, 'at most 3,000 changed rows'",
        "bytes, 100, at most 10 MiB",
        "seconds, 1, at most 5 minutes",
        "tables, 0, 'at most 1,000 tables'"
    })
    void names_the_limit_and_what_to_do(String what, long most, String named) throws SQLException {
        limited(what, what.equals("tables") ? most + 1 : most);
        try (JdbcStore store = store()) {
            assertThatThrownBy(() -> {
                        store.create(SequenceDefinition.of("s"));
                        store.inTransaction(transaction -> {
                            insert(transaction, 7, "x".repeat(100));
                            Sql.execute(transaction, "SELECT pg_sleep(" + (what.equals("seconds") ? 1.1 : 0) + ")");
                            return TransactionalSequence.of(store, "s").next(transaction);
                        });
                    })
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining(named)
                    .hasMessageContaining("; ")
                    .hasMessageNotContaining("\n");
            assertThat(dsql.database().number("SELECT count(*) FROM invoice")).isZero();
        }
    }

    @Test
    void waits_for_its_turn_to_connect_and_keeps_other_meanings() {
        DsqlDialect dialect = new DsqlDialect();
        assertThat(dialect.fault(new SQLException("Unable to accept connection, rate exceeded.", "53400")))
                .isEqualTo(Fault.NO_TURN);
        assertThat(dialect.fault(new SQLException("ERROR: key size too large", "54000")))
                .isEqualTo(Fault.OTHER);
        assertThat(dialect.fault(new SQLException("(OC000)", "40001"))).isEqualTo(Fault.CONFLICT);
        assertThat(dialect.remedy("d", "w", new SQLException("w", "42P05"))).isPresent();
    }

    /** The pages' SQL, a statement at a time; the last answers what its comment says, and then one more. */
    @Test
    void runs_the_sql_of_the_pages_twice() throws SQLException {
        List<Fence> fences = Fence.of("sql dsql");
        assertThat(fences).isNotEmpty();
        try (Connection connection = dsql.connect();
                Statement statement = connection.createStatement()) {
            for (Fence fence : fences) {
                String[] statements = fence.text().split(";\\s*", -1);
                int last = statements.length - 2;
                assertThat(statements[last + 1].strip()).isEqualTo("-- 1");
                for (int run = 1; run <= 2; run++) {
                    for (int i = 0; i < last; i++) {
                        statement.execute(statements[i]);
                    }
                    assertThat(one(connection, statements[last])).isEqualTo(run);
                }
            }
        }
    }

    @Test
    void audits_a_column_with_nothing_that_dsql_lacks() throws SQLException {
        dsql.database()
                .execute(
                        "CREATE TABLE invoice (number BIGINT PRIMARY KEY, made TIMESTAMP)",
                        "INSERT INTO invoice VALUES (1, now()), (2, now()), (4, now())");
        try (JdbcStore store = store()) {
            store.create(SequenceDefinition.of("s"));
            store.reserve("s", 4);
            List<Long> numbers = new ArrayList<>();
            NumberColumn column = new NumberColumn(
                    ColumnName.of("invoice", "number"),
                    Optional.of(ColumnName.of("invoice", "made")),
                    OptionalLong.empty());
            store.scan("s", column, state -> new ColumnScanner.Visitor() {
                @Override
                public void withoutNumber(long rows) {
                    assertThat(rows).isZero();
                }

                @Override
                public void number(long number) {
                    numbers.add(number);
                }

                @Override
                public void inTime(long number, Supplier<String> time) {
                    assertThat(numbers).contains(number);
                }
            });
            assertThat(numbers).containsExactly(1L, 2L, 4L);
        }
    }

    @Test
    void says_what_it_was_tested_on() {
        try (JdbcStore store = store()) {
            assertThat(store)
                    .hasToString("Aurora DSQL (tested on a PostgreSQL that imitates it), table"
                            + " seriatim_sequence of "
                            + dsql.database().server()
                            + dsql.database().name());
        }
    }

    @Test
    void leaves_the_urls_of_its_own_connector_to_that_one() throws SQLException {
        String url = "jdbc:aws-dsql:postgresql://abc.dsql.eu-west-1.on.aws:5432/postgres?user=admin&profile=p";
        JdbcUrl parsed = JdbcUrl.parse(url + "&seriatim.table=numbers&seriatim.patience=3s");
        assertThat(parsed.driverUrl()).isEqualTo(url);
        assertThat(parsed.database()).isEqualTo("jdbc:aws-dsql:postgresql://abc.dsql.eu-west-1.on.aws:5432/postgres");
        assertThat(DriverManager.getDriver(parsed.driverUrl())).isInstanceOf(DSQLConnector.class);
    }

    @Test
    void reaches_its_own_connector_which_asks_for_a_user_before_it_asks_the_network() {
        assertThatThrownBy(() -> StoreDriver.open(
                        "jdbc:aws-dsql:postgresql://abc.dsql.eu-west-1.on.aws/postgres?seriatim.table=numbers"))
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasMessageContaining("jdbc:aws-dsql:postgresql://abc.dsql.eu-west-1.on.aws/postgres")
                .hasMessageContaining("Missing user");
    }
}
