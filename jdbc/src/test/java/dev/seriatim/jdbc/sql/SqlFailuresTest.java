// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.AlreadyExists;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.h2.H2Dialect;
import dev.seriatim.jdbc.postgres.PostgresDialect;
import dev.seriatim.jdbc.sqlite.SqliteDialect;
import dev.seriatim.store.SequenceTable;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The errors for a driver's exceptions: what failed, where, and what to do. */
class SqlFailuresTest {

    private static final Duration PATIENCE = Duration.ofMillis(1500);

    private final SqlFailures failures =
            SqlFailures.inTable(new PostgresDialect(false), SequenceTable.own("t"), "the database", PATIENCE);

    private static SQLException said(Fault fault) {
        return new ClassifiedException(fault, "it is so");
    }

    private static SQLException driver(String state) {
        return new SQLException("ERROR: it is so", state);
    }

    private static Class<?> type(String name) {
        return switch (name) {
            case "Overloaded" -> Overloaded.class;
            case "Misconfigured" -> Misconfigured.class;
            case "Unavailable" -> Unavailable.class;
            case "AlreadyExists" -> AlreadyExists.class;
            case "NotFound" -> NotFound.class;
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CONFLICT       | Unavailable   | the database is locked by another session; end that session, or wait longer
            TIMED_OUT      | Unavailable   | the database is locked by another session; end that session, or wait longer
            NO_TURN        | Unavailable   | the database: no connection was free within 1500 ms
            NO_CONNECTION  | Overloaded    | the pool of connections to the database is exhausted (it is so)
            DUPLICATE      | Unavailable   | the database failed: it is so
            OTHER          | Unavailable   | the database failed: it is so
            MISSING_TABLE  | Misconfigured | table t of the database is missing; create a sequence first
            MISSING_COLUMN | Misconfigured | table t of the database has other columns than Seriatim's table (it is so)
            WRONG_TYPE     | Misconfigured | a column of the wrong type (it is so); make the name VARCHAR, the number BIGINT
            DENIED         | Misconfigured | this user may not use table t of the database (it is so); to draw: GRANT SELECT, UPDATE
            NOT_A_DATABASE | Misconfigured | the database is not a PostgreSQL database, or is damaged
            SPOILED        | Misconfigured | an earlier statement failed and aborted the transaction
            VIOLATION      | Misconfigured | the database refuses the transaction (it is so), nothing was committed; correct its work
            READ_ONLY      | Unavailable   | the database is read-only (it is so)
            LOST           | Unavailable   | the connection to the database broke (it is so); the next call tries again
            FULL           | Unavailable   | no space is left for the database; free some
            """)
    void of_no_one_sequence(Fault fault, String type, String message) {
        SQLException e = said(fault);
        assertThat(failures.general(e))
                .isInstanceOf(type(type))
                .hasMessageContaining(message)
                .hasCause(e);
        assertThat(failures.own(SqlFailures.UNNAMED, e))
                .isInstanceOf(type(type))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NO_TURN        | Overloaded    | no turn within 1500 ms
            NO_CONNECTION  | Overloaded    | is exhausted (it is so)
            DUPLICATE      | AlreadyExists | table t of the database
            MISSING_TABLE  | NotFound      | table t of the database
            MISSING_COLUMN | Misconfigured | has other columns
            WRONG_TYPE     | Misconfigured | a column of the wrong type
            DENIED         | Misconfigured | this user may not use table t
            NOT_A_DATABASE | Misconfigured | is not a PostgreSQL database
            SPOILED        | Misconfigured | 's': an earlier statement failed and aborted the transaction
            VIOLATION      | Misconfigured | 's': the database refuses the transaction
            READ_ONLY      | Unavailable   | 's': the database is read-only
            LOST           | Unavailable   | 's': the connection to the database broke
            FULL           | Unavailable   | 's': no space is left
            OTHER          | Unavailable   | 's': the database failed: it is so
            """)
    void of_a_sequence_that_is_named_wherever_it_was_drawn(Fault fault, String type, String message) {
        SQLException e = said(fault);
        assertThat(new SequenceException[] {
                    failures.own("s", e), failures.inTransaction("s", e), failures.atBegin("s", e)
                })
                .allSatisfy(told -> assertThat(told).isInstanceOf(type(type)).hasMessageContaining(message));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONFLICT", "TIMED_OUT"})
    void others_in_the_way_are_told_with_what_to_do_about_them_there(Fault fault) {
        SQLException e = said(fault);
        assertThat(failures.own("s", e))
                .isInstanceOf(Overloaded.class)
                .hasMessageContainingAll("'s'", "the database stayed locked", "for 1500 ms");
        assertThat(failures.inTransaction("s", e))
                .isInstanceOf(Overloaded.class)
                .hasMessageContainingAll("'s'", "conflict with another session", "roll the whole transaction back");
        assertThat(failures.atBegin("s", e))
                .isInstanceOf(Overloaded.class)
                .hasMessageContainingAll("'s'", "its row in table t of the database is locked", "(it is so)");
    }

    @Test
    void a_draw_says_how_long_it_has_waited_for_a_lock_but_only_if_it_has() {
        assertThat(failures.inDraw("s", driver("55P03"), Duration.ofMillis(1)))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("waited 1 ms for a lock");
        assertThat(failures.inDraw("s", driver("55P03"), Duration.ofNanos(999_999)))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("conflict with another session");
        assertThat(failures.inDraw("s", driver("40001"), Duration.ofMillis(200)))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("conflict with another session");
    }

    @ParameterizedTest
    @ValueSource(strings = {"42P05", "26000"})
    void a_statement_that_is_not_the_sessions_points_to_the_pooler(String state) {
        SQLException e = driver(state);
        assertThat(new SequenceException[] {
                    failures.own("s", e),
                    failures.inDraw("s", e, Duration.ZERO),
                    failures.own("s", failures.refused(e)),
                    failures.atCommit(failures.refused(e))
                })
                .allSatisfy(told -> assertThat(told)
                        .isInstanceOf(Unavailable.class)
                        .hasMessageContainingAll("the database", "pooler", "prepareThreshold=0", "(ERROR: it is so)"));
    }

    @Test
    void a_draw_whose_connection_broke_has_lost_its_transaction() {
        assertThat(failures.inDraw("s", driver("08006"), Duration.ZERO))
                .isInstanceOf(Unavailable.class)
                .hasMessageContainingAll("broke or is closed", "its transaction is lost");
        SQLException unanswered = driver("08006");
        unanswered.initCause(new SocketTimeoutException("Read timed out"));
        assertThat(failures.inDraw("s", unanswered, Duration.ofMillis(700)))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no answer from the database within 700 ms");
        assertThat(failures.inDraw("s", driver("42P01"), Duration.ZERO)).isInstanceOf(NotFound.class);
    }

    @Test
    void a_conflict_at_the_commit_has_committed_nothing() {
        assertThat(failures.atCommit(driver("40001")))
                .isInstanceOf(Overloaded.class)
                .hasMessageContaining("nothing was committed, retry the whole transaction");
        assertThat(failures.atCommit(driver("55P03")))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("is locked by another session");
    }

    @Test
    void an_interrupt_names_the_sequence_where_there_is_one() {
        InterruptedException e = new InterruptedException();
        assertThat(failures.interrupted("s", e))
                .isInstanceOf(Unavailable.class)
                .hasMessageContainingAll("'s'", "interrupted while waiting for the database")
                .hasCause(e);
        assertThat(failures.interrupted(SqlFailures.UNNAMED, e))
                .isInstanceOf(Unavailable.class)
                .hasMessageStartingWith("interrupted while waiting")
                .hasCause(e);
    }

    @Test
    void what_we_say_ourselves_is_not_asked_of_the_dialect() {
        assertThat(failures.fault(new ClassifiedException(Fault.NO_TURN, "none is free")))
                .isEqualTo(Fault.NO_TURN);
        assertThat(failures.fault(new MissingDatabase("the database"))).isEqualTo(Fault.MISSING_TABLE);
        assertThat(failures.fault(new ClassifiedException(Fault.VIOLATION, driver("40001"))))
                .isEqualTo(Fault.VIOLATION);
        assertThat(failures.fault(driver("40001"))).isEqualTo(Fault.CONFLICT);
    }

    @Test
    void a_pool_that_could_not_connect_says_why_in_its_cause() {
        SQLException cause = driver("53300");
        assertThat(failures.fault(new SQLTransientConnectionException("request timed out", "08001", cause)))
                .isEqualTo(Fault.NO_TURN);
        assertThat(failures.fault(new SQLTransientConnectionException("request timed out", "08001")))
                .isEqualTo(Fault.LOST);
    }

    @Test
    void a_commit_is_refused_by_what_the_dialect_says_or_by_us() {
        assertThat(failures.refusesCommit(driver("40001"))).isTrue();
        assertThat(failures.refusesCommit(driver("08006"))).isFalse();
        assertThat(failures.refusesCommit(driver("P0001")))
                .as("what a deferred trigger raises, which says little of a statement")
                .isTrue();
        assertThat(failures.refusesCommit(new ClassifiedException(Fault.VIOLATION, driver("08006"))))
                .isTrue();
        assertThat(failures.refusesCommit(new ClassifiedException(Fault.LOST, driver("40001"))))
                .isFalse();
        assertThat(failures.refusesCommit(new ClassifiedException(Fault.NO_TURN, "none is free")))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void what_refuses_a_commit_is_about_what_was_done_in_the_transaction(Fault fault) {
        SQLException e = said(fault);
        Fault refused = failures.fault(failures.refused(e));
        switch (fault) {
            case DUPLICATE, MISSING_TABLE, MISSING_COLUMN, WRONG_TYPE, VIOLATION, OTHER ->
                assertThat(refused).isEqualTo(Fault.VIOLATION);
            default -> assertThat((Throwable) failures.refused(e)).isSameAs(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void only_a_lost_connection_or_an_unknown_exception_leaves_it_open_whether_something_was_committed(Fault fault) {
        assertThat(fault.nothingCommitted()).isEqualTo(fault != Fault.LOST && fault != Fault.OTHER);
        assertThat(fault.isTransient()).isEqualTo(fault == Fault.CONFLICT || fault == Fault.TIMED_OUT);
    }

    @Test
    void what_is_told_stands_on_one_line_and_has_a_name_without_a_message() {
        assertThat(SqlFailures.oneLine(new SQLException("ERROR: it \n\r\n  is so")))
                .isEqualTo("ERROR: it is so");
        assertThat(SqlFailures.oneLine(new SQLException((String) null))).isEqualTo("SQLException");
    }

    private static SqlFailures of(Dialect dialect, SequenceTable table) {
        return SqlFailures.inTable(dialect, table, "the database", PATIENCE);
    }

    @Test
    void a_missing_right_is_reported_with_a_remedy() {
        SQLException denied = said(Fault.DENIED);
        assertThat(failures.creating("").general(denied))
                .hasMessageContainingAll(
                        "this user may not create table t of the database",
                        "run 'seriatim --store URL install' as a user");
        assertThat(SqlFailures.of(
                                new PostgresDialect(false),
                                "the native sequences",
                                "look at its owner",
                                "the database",
                                PATIENCE)
                        .general(denied))
                .hasMessageContaining("this user may not use the native sequences of the database")
                .hasMessageEndingWith("; look at its owner");
        assertThat(of(new SqliteDialect(), SequenceTable.own("t")).general(denied))
                .as("an engine without users has no grants")
                .hasMessageContaining("(it is so); 'seriatim --store URL install --print'");
    }

    @Test
    void missing_columns_are_reported_with_the_options_that_name_them() {
        SQLException missing = said(Fault.MISSING_COLUMN);
        assertThat(failures.general(missing)).hasMessageContainingAll("than Seriatim's table", "kind=last");
        assertThat(of(new PostgresDialect(false), SequenceTable.nextValue("t", "n", "v"))
                        .general(missing))
                .hasMessageContainingAll("table t of the database has no such columns", "value-column=");
    }

    @Test
    void a_database_that_does_not_exist_yet_is_told_from_a_missing_sequence() {
        assertThat(failures.own("s", new MissingDatabase("the database")))
                .isInstanceOf(NotFound.class)
                .hasMessageContaining("a file that does not exist yet");
        assertThat(failures.own("s", said(Fault.MISSING_TABLE)))
                .isInstanceOf(NotFound.class)
                .hasMessageNotContaining("a file that does not exist yet");
    }

    @Test
    void a_server_that_lets_no_one_in_or_does_not_answer_may_be_stopped() {
        LateLogin late = new LateLogin(Duration.ofSeconds(5), false);
        assertThat(of(new SqliteDialect(), SequenceTable.own("t")).fault(late))
                .as("whatever the dialect says")
                .isEqualTo(Fault.LOST);
        assertThat(failures.own("s", late))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining(
                        "the database cannot be reached: not connected within 5000 ms; check that the port");
        SQLException unanswered = driver("08006");
        unanswered.initCause(new SocketTimeoutException("Read timed out"));
        assertThat(failures.own("s", unanswered))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no answer from the database in time")
                .hasMessageContaining("neither stopped nor overloaded");
    }

    @Test
    void a_draw_that_may_only_read_says_whether_its_connection_or_its_transaction_is_read_only() {
        SQLException e = driver("25006");
        assertThat(failures.inDraw("s", e, true, Duration.ZERO))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("'s': the connection of this transaction is read-only (ERROR: it is so)")
                .hasCause(e);
        assertThat(failures.inDraw("s", e, false, Duration.ZERO))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("'s': this transaction is read-only (ERROR: it is so)")
                .hasCause(e);
        assertThat(failures.inDraw("s", driver("40001"), true, Duration.ZERO))
                .as("any other failure")
                .isInstanceOf(Overloaded.class);
        SQLException file = new SQLException("The database is read only", "90097", 90097);
        assertThat(of(new H2Dialect(), SequenceTable.own("t")).inDraw("s", file, true, Duration.ZERO))
                .as("a read-only file")
                .hasMessageContaining("open it without ACCESS_MODE_DATA=r");
    }
}
