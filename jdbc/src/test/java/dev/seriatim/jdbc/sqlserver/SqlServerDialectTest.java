// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.sqlserver.jdbc.SQLServerError;
import com.microsoft.sqlserver.jdbc.SQLServerException;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.CounterAdvance;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.store.SequenceTable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no server: the driver's exceptions, and the texts of statements. H2 stands for the server where a row is read. */
class SqlServerDialectTest {

    private static final SequenceTable TABLE = SequenceTable.own("t");

    private final SqlServerDialect dialect = new SqlServerDialect();

    /** Returns the driver's own exception for an error of the server. */
    private static SQLException error(int number, String message) {
        try {
            Constructor<SQLServerError> constructor = SQLServerError.class.getDeclaredConstructor();
            constructor.setAccessible(true);
            SQLServerError error = constructor.newInstance();
            error.setErrorNumber(number);
            Field text = SQLServerError.class.getDeclaredField("errorMessage");
            text.setAccessible(true);
            text.set(error, message);
            return new SQLServerException(error);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1205, CONFLICT, true",
        "3960, CONFLICT, true",
        "3961, CONFLICT, true",
        "2714, CONFLICT, true",
        "1222, TIMED_OUT, true",
        "3930, SPOILED, true",
        "3998, SPOILED, true",
        "2601, DUPLICATE, true",
        "2627, DUPLICATE, true",
        "515, VIOLATION, true",
        "547, VIOLATION, true",
        "3609, VIOLATION, true",
        "50000, VIOLATION, true",
        "334, VIOLATION, true",
        "208, MISSING_TABLE, true",
        "207, MISSING_COLUMN, true",
        "206, WRONG_TYPE, true",
        "245, WRONG_TYPE, true",
        "8114, WRONG_TYPE, true",
        "8115, WRONG_TYPE, true",
        "229, DENIED, true",
        "230, DENIED, true",
        "262, DENIED, true",
        "916, DENIED, true",
        "4060, DENIED, true",
        "18456, DENIED, true",
        "3906, READ_ONLY, true",
        "9002, FULL, true",
        "40544, FULL, true",
        "233, LOST, false",
        "596, LOST, false",
        "6005, LOST, false",
        "10053, LOST, false",
        "10054, LOST, false",
        "40197, LOST, false",
        "40501, LOST, false",
        "40613, LOST, false",
        "3971, OTHER, false",
    })
    void an_exception_of_the_driver_is_classified_by_its_number(int number, Fault fault, boolean refused) {
        SQLException e = error(number, "it is so");
        assertThat(e.getErrorCode()).isEqualTo(number);
        assertThat(dialect.fault(e)).isEqualTo(fault);
        assertThat(dialect.refusesCommit(e)).isEqualTo(refused);
        assertThat(dialect.lockHeld(e)).isEqualTo(fault == Fault.TIMED_OUT);
    }

    @Test
    void a_server_that_cannot_be_reached_is_lost() {
        assertThatThrownBy(() -> DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:1;loginTimeout=2"))
                .isInstanceOfSatisfying(
                        SQLServerException.class,
                        e -> assertThat(dialect.fault(e)).isEqualTo(Fault.LOST));
    }

    @Test
    void a_trigger_on_the_table_is_named_with_its_remedy() {
        SqlFailures failures = SqlFailures.inTable(dialect, TABLE, "the database", Duration.ofSeconds(1));
        SequenceException e = failures.own("a", error(334, "The target table 't' cannot have any enabled triggers"));
        assertThat(e).isInstanceOf(Misconfigured.class);
        assertThat(e).hasMessageContainingAll("the database", "The target table 't'", "DISABLE TRIGGER ALL ON");
        assertThat(failures.own("a", error(547, "The INSERT statement conflicted")))
                .hasMessageContaining("the database refuses the transaction (The INSERT statement conflicted)");
    }

    @Test
    void a_reservation_is_one_statement_and_locks_one_row() {
        assertThat(dialect.advance().sql("[s].[t]", "[next_value]", "[name] = ?"))
                .isEqualTo("UPDATE [s].[t] SET [next_value] = [next_value] + ? OUTPUT inserted.[next_value]"
                        + " WHERE [name] = ?");
        assertThat(dialect.lockAndRead("[t]", "[name]", "[a], [b]"))
                .isEqualTo("SELECT [a], [b] FROM [t] WITH (UPDLOCK, ROWLOCK) WHERE [name] = ?");
        assertThat(dialect.lockWait(Duration.ofMillis(1500)).bounded("SELECT 1"))
                .isEqualTo("IF @@LOCK_TIMEOUT NOT BETWEEN 0 AND 1500 SET LOCK_TIMEOUT 1500; SELECT 1");
        assertThat(dialect.lockWait(Duration.ZERO).bounded("SELECT 1")).contains("SET LOCK_TIMEOUT 1;");
    }

    @Test
    void names_and_texts_stay_names_and_texts() {
        assertThat(new PlacedTable(dialect, TABLE, Optional.of("a]b")).qualified())
                .isEqualTo("[a]]b].[t]");
        assertThat(dialect.literal("it's")).isEqualTo("N'it''s'");
        assertThat(dialect.createMissing("[it's].[t]", " ([n] BIGINT)"))
                .isEqualTo("IF OBJECT_ID(N'[it''s].[t]') IS NULL CREATE TABLE [it's].[t] ([n] BIGINT)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO t VALUES (1) COMMIT",
                "UPDATE t SET a = 1 rollback",
                "SELECT 1 SET LOCK_TIMEOUT -1",
                "SELECT 1 SET  XACT_ABORT ON",
                "UPDATE t SET a = 1 WHERE b = 2 SET IMPLICIT_TRANSACTIONS OFF",
                "INSERT INTO t EXEC p",
                "DELETE t BEGIN TRAN",
                "SELECT 1 USE master",
                "SELECT 1 AS a INTO #t",
                "set transaction isolation level snapshot",
            })
    void a_second_statement_needs_no_semicolon(String sql) {
        assertThat(dialect.hidesStatement(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET a = 1, b=2 WHERE c = 3",
                "UPDATE t SET a += 1",
                "UPDATE t SET a  =  1",
                "UPDATE t SET [a] = 1",
                "UPDATE t SET t.a = 1",
                "INSERT INTO orders (number, committed, used) VALUES (?, ?, ?)",
                "SELECT executive, offset FROM t",
            })
    void a_usual_statement_is_one(String sql) {
        assertThat(dialect.hidesStatement(sql)).isFalse();
    }

    @Test
    void what_the_server_says_after_the_row_counts() throws SQLException {
        try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:")) {
            SQLException refusal = error(9002, "the log is full");
            List<String> calls = new ArrayList<>();
            assertThatThrownBy(() -> run(h2, calls, () -> {
                        throw refusal;
                    }))
                    .isSameAs(refusal);
            assertThat(run(h2, calls, () -> false)).isEqualTo(42);
            assertThat(calls).contains("getMoreResults");
        }
    }

    private interface More {
        boolean results() throws SQLException;
    }

    /** Draws with a statement whose server has more to say after its row. */
    private long run(Connection h2, List<String> calls, More more) throws SQLException {
        CounterAdvance advance = dialect.advanceAlone().orElseThrow();
        try (PreparedStatement real = h2.prepareStatement("SELECT 42")) {
            return advance.run(proxy(PreparedStatement.class, (self, method, arguments) -> {
                        calls.add(method.getName());
                        return method.getName().equals("getMoreResults")
                                ? more.results()
                                : method.invoke(real, arguments);
                    }))
                    .orElseThrow();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            try {
                return handler.invoke(self, method, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    /** Returns a connection that answers queries which contain one of the words, with that answer; empty for NULL. */
    private static Connection answering(Connection h2, Map<String, String> answers) {
        return proxy(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                String sql = (String) arguments[0];
                String answer = answers.entrySet().stream()
                        .filter(entry -> sql.contains(entry.getKey()))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(sql))
                        .getValue();
                // The parameters must be there, too.
                long asked = sql.chars().filter(c -> c == '?').count();
                return h2.prepareStatement("SELECT " + (answer.isEmpty() ? "NULL" : "'" + answer + "'") + " WHERE TRUE"
                        + " AND ? IS NOT NULL".repeat((int) asked));
            }
            return method.invoke(h2, arguments);
        });
    }

    @Test
    void one_that_only_introduces_itself_so_is_refused() throws SQLException {
        assertThat(dialect.introducedAs("microsoft sql server")).isTrue();
        assertThat(dialect.introducedAs("sql server")).isFalse();
        try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:")) {
            assertThat(dialect.dialect(answering(h2, Map.of("babelfish", "")))).isEqualTo(dialect);
            assertThatThrownBy(() -> dialect.dialect(answering(h2, Map.of("babelfish", "Babelfish"))))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("'Babelfish' is not supported");
        }
        assertThat(dialect.product()).startsWith("SQL Server (").contains("not run");
    }

    @Test
    void settings_that_lose_commits_are_problems() throws SQLException {
        try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:")) {
            PlacedTable table = new PlacedTable(dialect, TABLE, Optional.of("dbo"));
            assertThat(dialect.preflight(answering(h2, Map.of("delayed", "DISABLED", "sys.tables", "")), table))
                    .isEmpty();
            assertThat(dialect.preflight(answering(h2, Map.of("delayed", "ALLOWED", "sys.tables", "")), table))
                    .isEmpty();
            assertThat(dialect.preflight(
                            answering(h2, Map.of("delayed", "FORCED", "sys.tables", "SCHEMA_ONLY")), table))
                    .hasSize(2)
                    .anyMatch(problem -> problem.contains("SET DELAYED_DURABILITY = DISABLED"))
                    .anyMatch(problem -> problem.contains("table t is memory-optimized (SCHEMA_ONLY)"));
            assertThat(dialect.preflight(answering(h2, Map.of("delayed", "TEMPDB", "sys.tables", "")), table))
                    .singleElement()
                    .asString()
                    .contains("tempdb");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "2, true"})
    void a_transaction_is_open_if_the_server_counts_one(String count, boolean open) throws SQLException {
        try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:")) {
            Connection counting = answering(h2, Map.of("@@TRANCOUNT", count));
            assertThat(dialect.inTransaction(counting)).isEqualTo(open);
            assertThat(dialect.begunInText(counting)).isEqualTo(open);
        }
    }

    @Test
    void only_a_table_of_the_database_is_taken() throws SQLException {
        try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:")) {
            Map<String, String> table = Map.of("type_desc", "USER_TABLE", "SCHEMA_NAME", "dbo");
            assertThat(dialect.find(answering(h2, table), "t", Optional.empty(), Optional.empty()))
                    .isEqualTo(new Dialect.Place(Optional.of("dbo"), true));
            Map<String, String> none = Map.of("type_desc", "", "SCHEMA_NAME", "dbo");
            assertThat(dialect.find(answering(h2, none), "t", Optional.empty(), Optional.empty()))
                    .isEqualTo(new Dialect.Place(Optional.of("dbo"), false));
            Map<String, String> view = Map.of("type_desc", "VIEW", "SCHEMA_NAME", "dbo");
            assertThatThrownBy(() -> dialect.find(answering(h2, view), "t", Optional.empty(), Optional.empty()))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("t is a view, not a table");
        }
    }
}
