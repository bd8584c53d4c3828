// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
