// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.cloudspanner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.SqlFailures;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exceptions of Spanner's driver are classified correctly. The Spanner module tests its contracts. */
class SpannerDialectTest {

    private static final String STATEMENT = """
            INVALID_ARGUMENT: io.grpc.StatusRuntimeException: INVALID_ARGUMENT: Table not found: t [at 1:15]
            SELECT * FROM t
                          ^ - Statement: 'SELECT * FROM t'""";

    private static final String RESOURCE = """
            NOT_FOUND: io.grpc.StatusRuntimeException: NOT_FOUND: Database not found: d
            resource_type: "x"
            resource_name: "d"
            """;

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            10, ABORTED: Transaction already aborted,                                             CONFLICT
            10, The transaction could not be retried due to a concurrent modification,            CONFLICT
            9,  Schema change operation rejected because a concurrent one is in progress,         CONFLICT
            9,  Duplicate name in schema: t.,                                                     CONFLICT
            9,  Using a read/write transaction after rolling back to a savepoint is not supported,  SPOILED
            6,  ALREADY_EXISTS: Failed to insert row with primary key,                            DUPLICATE
            9,  Cannot specify a null value for column: t.c in table: t,                          VIOLATION
            11, Check constraint `t`.`c` is violated for key {Int64(-1)},                         VIOLATION
            3,  Table not found: t [at 1:15],                                                     MISSING_TABLE
            5,  Table not found: t,                                                               MISSING_TABLE
            3,  Unrecognized name: c; Did you mean name? [at 1:8],                                MISSING_COLUMN
            3,  Column c is not present in table t [at 1:18],                                     MISSING_COLUMN
            3,  "No matching signature for operator >= for argument types: STRING, INT64.",       WRONG_TYPE
            3,  "Value of type STRING cannot be assigned to c, which has type INT64",             WRONG_TYPE
            3,  MAX is not defined for arguments of type JSON [at 1:8],                           WRONG_TYPE
            3,  ORDER BY does not support expressions of type JSON [at 1:50],                     WRONG_TYPE
            5,  Database not found: projects/p/instances/i/databases/d,                           NOT_A_DATABASE
            9,  Update statements are not allowed for read-only transactions,                     READ_ONLY
            7,  PERMISSION_DENIED: Caller is missing IAM permission,                              DENIED
            16, UNAUTHENTICATED: Request had invalid authentication credentials.,                 DENIED
            4,  DEADLINE_EXCEEDED: CallOptions deadline exceeded,                                 LOST
            14, UNAVAILABLE: io exception,                                                        LOST
            5,  "NOT_FOUND: relation ""acme.t"" does not exist",                                  MISSING_TABLE
            3,  "[ERROR] column ""c"" does not exist",                                            MISSING_COLUMN
            3,  "[ERROR] column ""c"" of relation ""t"" does not exist",                          MISSING_COLUMN
            5,  [ERROR] operator does not exist: text >= bigint,                                  WRONG_TYPE
            3,  "column ""n"" is of type bigint but expression is of type text",                  WRONG_TYPE
            3,  invalid input syntax for type bigint: a,                                          WRONG_TYPE
            5,  NOT_FOUND: Transaction not found: 7,                                              LOST
            9,  FAILED_PRECONDITION: Transaction has already been closed: 7,                      LOST
            9,  FAILED_PRECONDITION: Invalid transaction ID. Transaction ID must be >= 8,         LOST
            9,  This transaction has been invalidated by a later transaction in the same session, LOST
            9,  Cannot query using a transaction after it has been committed or rolledback.,      LOST
            1,  enclosing transaction being invalidated by a later transaction,                   LOST
            9,  a row whose key is 'rolled back' violates foreign key 'later transaction',        VIOLATION
            8,  RESOURCE_EXHAUSTED: quota,                                                        OTHER
            13, INTERNAL: no idea,                                                                OTHER
            """)
    void knows_what_an_exception_means_by_its_code_and_words(int code, String message, Fault fault) {
        assertThat(new SpannerDialect(false).fault(new SQLException(message, "", code)))
                .isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource({
        "3, INVALID_ARGUMENT: no such row, true",
        "5, NOT_FOUND: Parent row is missing, true",
        "6, ALREADY_EXISTS: Row exists, true",
        "7, PERMISSION_DENIED: Caller is missing IAM permission, true",
        "9, FAILED_PRECONDITION: null value, true",
        "10, ABORTED: Transaction was aborted, true",
        "11, OUT_OF_RANGE: check constraint, true",
        "5, NOT_FOUND: Session not found: projects/p/instances/i/databases/d/sessions/s, false",
        "5, NOT_FOUND: Transaction not found: 7, false",
        "10, ABORTED: Transaction not found, false",
        "9, FAILED_PRECONDITION: This transaction has been invalidated by a later transaction in the same session., false",
        "16, UNAUTHENTICATED: Request had invalid authentication credentials., false",
        "8, RESOURCE_EXHAUSTED: quota, false",
        "12, UNIMPLEMENTED: no, false",
        "13, INTERNAL: no idea, false",
        "15, DATA_LOSS: gone, false",
    })
    void a_commit_is_refused_only_by_what_the_server_says_after_it_has_looked_at_it(
            int code, String message, boolean refused) {
        assertThat(new SpannerDialect(false).refusesCommit(new SQLException(message, "", code)))
                .isEqualTo(refused);
    }

    @Test
    void a_commit_that_was_not_answered_may_have_happened() {
        for (int code : new int[] {4, 14}) {
            Fault fault = new SpannerDialect(false).fault(new SQLException("gone", "", code));
            assertThat(fault.nothingCommitted()).isFalse();
        }
    }

    @Test
    void what_it_says_is_told_without_its_wrapping_and_what_others_say_as_it_is() {
        assertThat(SqlFailures.oneLine(new SQLException(STATEMENT))).isEqualTo("INVALID_ARGUMENT: Table not found: t");
        assertThat(SqlFailures.oneLine(new SQLException(RESOURCE))).isEqualTo("NOT_FOUND: Database not found: d");
        assertThat(SqlFailures.oneLine(new SQLException("ERROR: it [at 1:15]\nis so")))
                .isEqualTo("ERROR: it [at 1:15] is so");
    }
}
