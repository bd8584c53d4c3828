// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SQLite's exceptions are classified correctly. */
class SqliteDialectTest {

    private final Dialect sqlite = new SqliteDialect();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1  | [SQLITE_ERROR] SQL error or missing database (no such table: t)            | MISSING_TABLE
            1  | [SQLITE_ERROR] SQL error or missing database (no such column: c)           | MISSING_COLUMN
            1  | [SQLITE_ERROR] SQL error or missing database (table t has no column named c) | MISSING_COLUMN
            1  | [SQLITE_ERROR] SQL error or missing database (near "SELEC": syntax error)  | OTHER
            5  | [SQLITE_BUSY] The database file is locked                                  | CONFLICT
            6  | [SQLITE_LOCKED] A table in the database is locked                          | CONFLICT
            8  | [SQLITE_READONLY] Attempt to write a readonly database                     | READ_ONLY
            11 | [SQLITE_CORRUPT] The database disk image is malformed                      | NOT_A_DATABASE
            26 | [SQLITE_NOTADB] File opened that is not a database file                    | NOT_A_DATABASE
            13 | [SQLITE_FULL] Insertion failed because database is full                    | FULL
            19 | [SQLITE_CONSTRAINT_UNIQUE] A UNIQUE constraint failed                      | DUPLICATE
            19 | [SQLITE_CONSTRAINT_PRIMARYKEY] A PRIMARY KEY constraint failed             | DUPLICATE
            19 | [SQLITE_CONSTRAINT_CHECK] A CHECK constraint failed                        | VIOLATION
            10 | [SQLITE_IOERR] Some kind of disk I/O error occurred                        | OTHER
            0  | query does not return ResultSet                                            | OTHER
            """)
    void knows_what_an_exception_means_by_its_code_and_words(int code, String message, Fault fault) {
        assertThat(sqlite.fault(new SQLException(message, null, code))).isEqualTo(fault);
    }

    @Test
    void what_has_no_words_is_told_by_its_code_alone() {
        assertThat(sqlite.fault(new SQLException(null, null, 1))).isEqualTo(Fault.OTHER);
        assertThat(sqlite.fault(new SQLException(null, null, 19))).isEqualTo(Fault.VIOLATION);
        assertThat(sqlite.lockHeld(new SQLException(null, null, 5))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "5, [SQLITE_BUSY] The database file is locked, true",
        "5, [SQLITE_BUSY_SNAPSHOT] Another database connection has already written, false",
        "6, [SQLITE_LOCKED] A table in the database is locked, false",
    })
    void a_lock_was_held_by_another_session_unless_the_snapshot_is_outdated(int code, String message, boolean held) {
        assertThat(sqlite.lockHeld(new SQLException(message, null, code))).isEqualTo(held);
    }
}
