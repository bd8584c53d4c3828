// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How MySQL and MariaDB answer a COMMIT: only an error that certainly committed nothing counts as a refusal. */
class MySqlCommitErrorsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1180 | HY000 | (conn=7) Got error 149 "Lock deadlock; Retry transaction" during COMMIT   | true
            1180 | HY000 | Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT          | true
            1180 | HY000 | Got error 149 during COMMIT                                               | true
            1180 | HY000 | (conn=7) Fehler 149 "Lock deadlock; Retry transaction" beim COMMIT         | true
            1180 | HY000 | (conn=149) Fehler 5 "Input/output error" beim COMMIT                       | false
            1180 | HY000 | Got error 5 "Input/output error" during COMMIT                            | false
            1180 | HY000 | Got error 28 - 'No space left on device' during COMMIT                    | false
            1180 | HY000 | Got error 1490 during COMMIT                                              | false
            1213 | 40001 | Deadlock found when trying to get lock; try restarting transaction        | true
            3101 | HY000 | Plugin instructed the server to rollback the current transaction.         | true
            1644 | 45000 | a trigger's own words                                                     | true
            1053 | 08S01 | Server shutdown in progress                                               | false
            1047 | 08S01 | (conn=7) WSREP has not yet prepared node for application use              | false
            1047 | 08S01 | Unknown command                                                           | false
            """)
    void are_told_apart(int code, String state, String message, boolean refused) {
        SQLException e = new SQLException(message, state, code);
        assertThat(new MySqlDialect().refusesCommit(e)).isEqualTo(refused);
        assertThat(new MySqlDialect().fault(e).isTransient())
                .as("a statement with it is run again")
                .isEqualTo((refused && code != 1644) || message.contains("WSREP"));
    }
}
