// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What H2 says means what it should. */
class H2DialectTest {

    private final Dialect h2 = new H2Dialect();

    @ParameterizedTest
    @CsvSource({
        "40001, CONFLICT",
        "90131, CONFLICT",
        "90143, CONFLICT",
        "50200, TIMED_OUT",
        "57014, TIMED_OUT",
        "23505, DUPLICATE",
        "42102, MISSING_TABLE",
        "42103, MISSING_TABLE",
        "42104, MISSING_TABLE",
        "90079, MISSING_TABLE",
        "90013, MISSING_TABLE",
        "42122, MISSING_COLUMN",
        "22003, WRONG_TYPE",
        "22004, WRONG_TYPE",
        "22018, WRONG_TYPE",
        "90004, WRONG_TYPE",
        "90096, DENIED",
        "90040, DENIED",
        "90097, READ_ONLY",
        "90067, LOST",
        "90098, LOST",
        "90121, LOST",
        "90007, LOST",
        "50000, OTHER",
        "0, OTHER",
    })
    void knows_what_an_exception_means_by_its_code(int code, Fault fault) {
        SQLException e = new SQLException("it is so", String.valueOf(code), code);
        assertThat(h2.fault(e)).isEqualTo(fault);
        assertThat(h2.lockHeld(e)).isEqualTo(fault == Fault.TIMED_OUT);
        assertThat(h2.refusesCommit(e)).isEqualTo(fault != Fault.LOST && fault != Fault.OTHER);
    }

    @ParameterizedTest
    @CsvSource({"2.5.252 (2026-01-05), true", "2.5.0, true", "2.4.240 (2025-09-22), false", "12.5.0, false"})
    void the_versions_that_were_seen_to_lose_commits_are_known(String version, boolean loses) {
        assertThat(H2Dialect.loses(version)).isEqualTo(loses);
    }
}
